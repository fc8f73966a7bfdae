import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { countChanged } from '../database/changes.js';
import { DomainError, NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { EventListeners } from './event-listeners.js';
import type { StreamEvent } from './event-log.js';

/** An event that one listener could not handle; the other listeners had it. */
export interface ParkedEvent extends Omit<StreamEvent, 'id'> {
  listener: string;
  eventId: string;
  /** What went wrong the last time. */
  error: string;
  parkedAt: Date;
}

/** The listener failed again; the event stays parked. */
class EventFailedAgainError extends DomainError {}

const COLUMNS = `handler as listener, position, event_id as "eventId", name, payload, recorded_at as "recordedAt", error,
  parked_at as "parkedAt"`;

/** Lets an operator list, replay and drop parked events. */
@Injectable()
export class ParkedEvents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly listeners: EventListeners,
  ) {}

  /** The newest first. */
  async list(page: number): Promise<Page<ParkedEvent>> {
    const items: ParkedEvent[] = await this.dataSource.query(
      `select ${COLUMNS} from parked_event order by parked_at desc, position desc, handler limit $1 offset $2`,
      [PER_PAGE, offsetOf(page)],
    );
    const [{ count }] = (await this.dataSource.query('select count(*) as count from parked_event')) as [
      { count: number },
    ];
    return { items, total: count, current: page };
  }

  /**
   * Hands the event to its listener once more; out of order, because the listener went on without it.
   * @throws NotFoundError (`parked_event_not_found`), EventFailedAgainError
   */
  async replay(listener: string, position: number): Promise<void> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const [rows] = (await manager.query(
        `delete from parked_event where handler = $1 and position = $2 returning ${COLUMNS}`,
        [listener, position],
      )) as [ParkedEvent[], number];
      if (!rows[0]) throw notFound(listener, position);
      const { eventId, ...parked } = rows[0];
      try {
        await this.listeners.announce(listener, { ...parked, id: eventId, manager });
      } catch (cause) {
        const message = `The listener failed again: ${cause instanceof Error ? cause.message : String(cause)}.`;
        throw new EventFailedAgainError(message, 'event_failed_again', { cause });
      }
    });
  }

  /** Deletes the parked event. @throws NotFoundError (`parked_event_not_found`) */
  async drop(listener: string, position: number): Promise<void> {
    const sql = 'delete from parked_event where handler = $1 and position = $2';
    if ((await countChanged(this.dataSource, sql, [listener, position])) === 0) throw notFound(listener, position);
  }
}

function notFound(listener: string, position: number): NotFoundError {
  return new NotFoundError(`There is no event ${position} parked for ${listener}.`, 'parked_event_not_found');
}
