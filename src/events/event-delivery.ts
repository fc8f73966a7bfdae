import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hasCome } from '../database/time-sql.js';
import { isConnectionLost } from '../database/pg-errors.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { EventListeners } from './event-listeners.js';
import { EventLog, type StreamEvent } from './event-log.js';

/** Events that one listener gets in one transaction while all goes well. */
const BATCH = 100;
/** After this many failed tries an event is parked for the listener, which goes on with the next. */
const MAX_FAILURES = 10;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Times of retries are made and compared by the database alone, so that servers whose clocks differ, or jump, agree on
 * them.
 */
const IS_DUE = `(retry_at is null or ${hasCome('retry_at', LONGEST_RETRY_MS, 'clock_timestamp()')})`;

const BEHIND = `
  select listener.name, cursor.name is null as "isNew"
  from unnest($1::text[]) as listener(name) left join event_handler as cursor using (name)
  where coalesce(cursor.position, 0) < (select max(position) from domain_event) and ${IS_DUE}`;

const CLAIM = `select position from event_handler where name = $1 and ${IS_DUE} for update skip locked`;

const BACK_OFF = `
  update event_handler set failures = $2, retry_at = clock_timestamp() + $3::double precision * interval '1 millisecond'
  where name = $1`;

/** A listener failed to handle an event; holds the event, so that it can be parked. */
class DeliveryFailure extends Error {
  constructor(
    readonly event: StreamEvent,
    /** How many events of the batch come before it. */
    readonly index: number,
    cause: unknown,
  ) {
    super(`event ${event.position} (${event.name}) failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/**
 * Hands numbered events to the in-process listeners, in order and at least once. Each listener has its own cursor,
 * moved in the transaction of what it writes, so after a server died at most rolled-back work is repeated. One server
 * at a time serves a listener.
 */
@Injectable()
export class EventDelivery {
  private readonly logger = new Logger('EventDelivery');

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: WriteTransactions,
    private readonly listeners: EventListeners,
    private readonly log: EventLog,
  ) {}

  /**
   * Delivers one batch to every listener that is due. Returns whether any of them has more to do.
   * @throws the first error of the database, after every listener had its chance.
   */
  async deliverNext(): Promise<boolean> {
    const failures: unknown[] = [];
    let hasMore = false;
    for (const listener of await this.behind()) {
      try {
        hasMore = (await this.serve(listener)) || hasMore;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return hasMore;
  }

  /**
   * Delivers one batch to a listener. Returns whether there may be more. An event that fails rolls back its whole
   * batch, so the events before it are delivered again, without it.
   */
  private async serve(listener: string): Promise<boolean> {
    for (let limit = BATCH; ;) {
      try {
        return await this.deliverTo(listener, limit);
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error;
        if (error.index === 0) return await this.recordFailure(listener, error);
        limit = error.index;
      }
    }
  }

  /** Listeners of this server that have events before them and no retry to wait for; new ones get their cursor. */
  private async behind(): Promise<string[]> {
    const rows: { name: string; isNew: boolean }[] = await this.dataSource.query(BEHIND, [this.listeners.names]);
    const added = rows.filter(({ isNew }) => isNew).map(({ name }) => name);
    if (added.length > 0) {
      const sql = 'insert into event_handler (name) select * from unnest($1::text[]) on conflict (name) do nothing';
      await this.dataSource.query(sql, [added]);
    }
    return rows.map(({ name }) => name);
  }

  /** Delivers up to `limit` events. Returns whether there may be more. @throws DeliveryFailure */
  private async deliverTo(listener: string, limit: number): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      // Without a row another server holds the listener, or a retry is not due.
      const [claimed]: { position: number }[] = await manager.query(CLAIM, [listener]);
      const events = claimed ? await this.log.after(claimed.position, limit, manager) : [];
      const last = events.at(-1);
      if (!last) return false;
      for (const [index, event] of events.entries()) {
        await this.listeners.announce(listener, { ...event, manager }).catch((error: unknown) => {
          // That the database went away is not a fault of the listener.
          throw isConnectionLost(error) ? error : new DeliveryFailure(event, index, error);
        });
      }
      await this.moveTo(manager, listener, last.position);
      return events.length === limit;
    });
  }

  private async moveTo(manager: EntityManager, listener: string, position: number): Promise<void> {
    const sql = 'update event_handler set position = $2, failures = 0, retry_at = null where name = $1';
    await manager.query(sql, [listener, position]);
  }

  /** Counts a failure. Returns whether the event was parked, so that the listener goes on without it. */
  private async recordFailure(listener: string, { event, message }: DeliveryFailure): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      const sql = 'select failures from event_handler where name = $1 and position < $2 for update';
      const rows: { failures: number }[] = await manager.query(sql, [listener, event.position]);
      // Another server has delivered it meanwhile.
      if (!rows[0]) return false;
      const failures = rows[0].failures + 1;
      if (failures >= MAX_FAILURES) {
        await this.park(manager, listener, event, message);
        this.logger.error(
          `Listener ${listener}: ${message}; parked after ${failures} tries, for an operator to replay or drop`,
        );
        return true;
      }
      const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
      await manager.query(BACK_OFF, [listener, failures, delayMs]);
      this.logger.warn(
        `Listener ${listener}: ${message}; try ${failures} of ${MAX_FAILURES}, the next in ${delayMs} ms`,
      );
      return false;
    });
  }

  /** Parks an event with all that a replay needs, because its row in the stream may be pruned by then. */
  private async park(manager: EntityManager, listener: string, event: StreamEvent, error: string): Promise<void> {
    await manager.query(
      `insert into parked_event (handler, position, event_id, name, payload, recorded_at, error)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [listener, event.position, event.id, event.name, event.payload, event.recordedAt, error],
    );
    await this.moveTo(manager, listener, event.position);
  }
}
