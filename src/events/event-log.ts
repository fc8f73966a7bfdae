import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';

/** An event that has its place in the stream. */
export interface StreamEvent {
  id: string;
  position: number;
  name: DomainEventName;
  payload: DomainEvents[DomainEventName];
  recordedAt: Date;
}

/** Ends of what is kept of the stream; both 0 while there was never an event. */
export interface StreamBounds {
  /** Oldest position that is still there. */
  first: number;
  /** Newest position. */
  last: number;
}

interface Row {
  id: string;
  position: string;
  name: DomainEventName;
  payload: DomainEvents[DomainEventName];
  recorded_at: Date;
}

/**
 * Reads the stream of numbered events. Positions are gapless and never arrive late, so a reader that follows them
 * misses none.
 */
@Injectable()
export class EventLog {
  constructor(private readonly dataSource: DataSource) {}

  /** Up to `limit` events behind `position`, ascending. `manager` is given inside a transaction. */
  async after(position: number, limit: number, manager = this.dataSource.manager): Promise<StreamEvent[]> {
    const rows: Row[] = await manager.query(
      'select id, position, name, payload, recorded_at from domain_event where position > $1 order by position limit $2',
      [position, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      position: Number(row.position),
      name: row.name,
      payload: row.payload,
      recordedAt: row.recorded_at,
    }));
  }

  async bounds(): Promise<StreamBounds> {
    const rows: { first: string | null; last: string | null }[] = await this.dataSource.query(
      'select min(position) as first, max(position) as last from domain_event',
    );
    return { first: Number(rows[0]?.first ?? 0), last: Number(rows[0]?.last ?? 0) };
  }
}
