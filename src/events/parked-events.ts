import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { changedRows, countChanged } from '../database/changes.js';
import { isConnectionLost, isTooSlow } from '../database/pg-errors.js';
import { DomainError, NotFoundError } from '../domain/domain-errors.js';
import type { Page } from '../domain/page.js';
import { readListedPage } from '../http/listed-page.js';
import { unixSecondsSql } from '../database/time-sql.js';
import { EventListeners } from './event-listeners.js';
import type { StreamEvent } from './event-log.js';
import type { ParkedEventDto } from './parked-event.dto.js';

/** The listener failed again; the event stays parked. */
class EventFailedAgainError extends DomainError {}

/** Lets an operator list, replay and drop parked events. */
@Injectable()
export class ParkedEvents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly listeners: EventListeners,
  ) {}

  /** The newest first. @throws InvalidRequestError (`page_too_deep`) */
  async list(page: number): Promise<Page<ParkedEventDto>> {
    const columns = `handler, position, event_id, name as type, payload, error,
      ${unixSecondsSql('recorded_at')} as recorded_at, ${unixSecondsSql('parked_at')} as parked_at`;
    const order = 'parked.parked_at desc, position desc, handler';
    return readListedPage(this.dataSource, { columns, rows: 'from parked_event as parked', order }, page);
  }

  /**
   * Hands the event to its listener once more; out of order, because the listener went on without it.
   * @throws NotFoundError (`parked_event_not_found`), EventFailedAgainError; the driver's error where the database took
   *   too long or went away
   */
  async replay(listener: string, position: number): Promise<void> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const sql = `delete from parked_event where handler = $1 and position = $2
        returning event_id as id, position, name, payload, recorded_at as "recordedAt"`;
      const [event] = await changedRows<StreamEvent>(manager, sql, [listener, position]);
      if (!event) throw notFound(listener, position);
      try {
        await this.listeners.announce(listener, { ...event, manager });
      } catch (cause) {
        // The server failed, and not the event: it is answered as other such failures are.
        if (isTooSlow(cause) || isConnectionLost(cause)) throw cause;
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
