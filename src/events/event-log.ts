import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEventName } from '../domain/domain-events.js';
import type { DomainEvent } from './domain-event.entity.js';

/** An event that has its place in the stream. */
export interface StreamEvent<Name extends DomainEventName = DomainEventName> extends DomainEvent<Name> {
  /** Position in the one stream of all events: gapless, ascending, given after the commit. */
  position: number;
}

/** The oldest and the newest position of the stored stream; both 0 while no event was ever recorded. */
export interface StreamBounds {
  /** Oldest position that is still there. */
  first: number;
  /** Newest position. */
  last: number;
}

/** The events that a reader asks for; an absent member lets all through. */
export interface EventFilter {
  /** Compressed key with `0x`, lowercase. */
  avatar?: string | undefined;
  platform?: string | undefined;
  types?: DomainEventName[] | undefined;
}

/** A range of positions, and the events in it that a filter lets through. */
export interface EventStretch {
  /** Ascending. */
  events: StreamEvent[];
  /** The oldest position in the range; null if the range is empty. */
  first: number | null;
  /** The newest position in the range, also if the filter left its event out; null if the range is empty. */
  last: number | null;
}

/** Positions that one statement searches for a filter at most: some 10 ms of PostgreSQL. */
const STRETCH = 5000;

const COLUMNS = 'id, position, name, payload, recorded_at as "recordedAt"';

/**
 * The range comes from the index of positions, and what the filter leaves out never leaves the database. Choice: no
 * index of Avatars or platforms. Making one locks a table that every change writes to, each event would have to be
 * written into it once more, and the table holds no more than EVENT_RETENTION_DAYS.
 */
const FIND = `
  with stretch as (
    select min(position) as first, max(position) as last
    from (select position from domain_event where position > $1 order by position limit $2) as behind
  )
  select stretch.first, stretch.last, event.*
  from stretch
  left join lateral (
    select ${COLUMNS} from domain_event
    where position > $1 and position <= stretch.last
      and ($3::text is null or payload->>'avatar' = $3) and ($4::text is null or payload->>'platform' = $4)
      and ($5::text[] is null or name = any($5))
    order by position limit $6
  ) as event on true
  order by event.position`;

/**
 * Reads the stream of numbered events. Positions are gapless and never arrive late, so a reader that follows them
 * misses none.
 */
@Injectable()
export class EventLog {
  constructor(private readonly dataSource: DataSource) {}

  /** Up to `limit` events behind `position`, ascending. `manager` is given inside a transaction. */
  async after(position: number, limit: number, manager = this.dataSource.manager): Promise<StreamEvent[]> {
    const sql = `select ${COLUMNS} from domain_event where position > $1 order by position limit $2`;
    return manager.query(sql, [position, limit]);
  }

  /**
   * Up to `limit` events behind `position` that `filter` lets through, and how far the search went: to the last of them
   * if there are `limit`, otherwise to the end of the stream or of a stretch of bounded length.
   */
  async find(position: number, limit: number, { avatar, platform, types }: EventFilter): Promise<EventStretch> {
    const isFiltered = (avatar ?? platform ?? types) !== undefined;
    const stretch = isFiltered ? STRETCH : limit;
    const values = [position, stretch, avatar ?? null, platform ?? null, types ?? null, limit];
    const rows: StretchRow[] = await this.dataSource.query(FIND, values);
    const events = rows.filter((row): row is StretchRow & StreamEvent => row.id !== null);
    const { first, last } = rows[0]!;
    return { events, first, last: events.length === limit ? events.at(-1)!.position : last };
  }

  async bounds(): Promise<StreamBounds> {
    const sql = 'select coalesce(min(position), 0) as first, coalesce(max(position), 0) as last from domain_event';
    const [bounds] = (await this.dataSource.query(sql)) as [StreamBounds];
    return bounds;
  }
}

/** A row of `FIND`; there is always one, without an event where none is found. */
type StretchRow = { first: number | null; last: number | null } & (StreamEvent | { id: null });
