import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { DataSource, type EntityManager } from 'typeorm';
import { EventLog, type StreamEvent } from './event-log.js';
import { type Announced, emitterName, handlersOf } from './on-domain-event.js';

/** Events that one listener gets in one transaction while all goes well. */
const BATCH = 100;
/** After this many failed tries an event is parked for the listener, which goes on with the next. */
const MAX_FAILURES = 10;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** A listener could not take an event; carries which, so that it can be parked. */
class DeliveryFailure extends Error {
  constructor(
    readonly event: StreamEvent,
    /** How many events of the batch come before it. */
    readonly place: number,
    cause: unknown,
  ) {
    super(`event ${event.position} (${event.name}) failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/**
 * Hands numbered events to the in-process listeners, in order and at least once. Each listener has its own cursor,
 * moved in the transaction of what it writes, so a server that dies repeats at most what was rolled back; of several
 * servers one at a time serves a listener.
 */
@Injectable()
export class EventDelivery {
  private readonly logger = new Logger('EventDelivery');

  constructor(
    private readonly dataSource: DataSource,
    private readonly emitter: EventEmitter2,
    private readonly log: EventLog,
  ) {}

  /** One batch for every listener that is due; whether any of them has more to do. */
  async deliverNext(now: Date): Promise<boolean> {
    let hasMore = false;
    for (const handler of await this.behind(now)) hasMore = (await this.serve(handler, now)) || hasMore;
    return hasMore;
  }

  /**
   * Whether there may be more. An event that fails takes back its whole batch, so those before it are delivered again,
   * without it.
   */
  private async serve(handler: string, now: Date): Promise<boolean> {
    for (let limit = BATCH; ;) {
      try {
        return await this.deliverTo(handler, limit, now);
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error;
        if (error.place === 0) {
          return await this.recordFailure(handler, error, now);
        }
        limit = error.place;
      }
    }
  }

  /** Listeners of this server that have events before them and no retry to wait for. */
  private async behind(now: Date): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      `select mine.name from unnest($1::text[]) as mine(name) left join event_handler as cursor using (name)
       where coalesce(cursor.position, 0) < (select max(position) from domain_event)
         and (cursor.retry_at is null or cursor.retry_at <= $2)`,
      [handlersOf(this.emitter), now],
    );
    return rows.map((row) => row.name);
  }

  /** Whether there may be more. @throws DeliveryFailure */
  private async deliverTo(handler: string, limit: number, now: Date): Promise<boolean> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const position = await this.claim(manager, handler, now);
      if (position === null) return false;
      const events = await this.log.after(position, limit, manager);
      const last = events.at(-1);
      if (!last) return false;
      for (const [place, event] of events.entries()) await this.announce(manager, handler, event, place);
      await this.moveTo(manager, handler, last.position);
      return events.length === limit;
    });
  }

  /** Where `handler` is, locked, or null if another server has it or a retry is not due. */
  private async claim(manager: EntityManager, handler: string, now: Date): Promise<number | null> {
    await this.register(manager, handler);
    const rows: { position: string }[] = await manager.query(
      `select position from event_handler
       where name = $1 and (retry_at is null or retry_at <= $2) for update skip locked`,
      [handler, now],
    );
    return rows[0] ? Number(rows[0].position) : null;
  }

  /**
   * Gives a new listener its cursor; one that fails at its very first event has none yet, because that was rolled back.
   */
  private async register(manager: EntityManager, handler: string): Promise<void> {
    await manager.query('insert into event_handler (name) values ($1) on conflict (name) do nothing', [handler]);
  }

  private async announce(manager: EntityManager, handler: string, event: StreamEvent, place: number): Promise<void> {
    const announced: Announced = { ...event, manager };
    try {
      await this.emitter.emitAsync(emitterName(handler, event.name), announced);
    } catch (error) {
      throw new DeliveryFailure(event, place, error);
    }
  }

  private async moveTo(manager: EntityManager, handler: string, position: number): Promise<void> {
    await manager.query('update event_handler set position = $2, failures = 0, retry_at = null where name = $1', [
      handler,
      position,
    ]);
  }

  /** Whether the listener goes on without the event. */
  private async recordFailure(handler: string, { event, message }: DeliveryFailure, now: Date): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await this.register(manager, handler);
      const rows: { failures: number }[] = await manager.query(
        'select failures from event_handler where name = $1 and position < $2 for update',
        [handler, event.position],
      );
      // Another server has been luckier meanwhile.
      if (!rows[0]) return false;
      const failures = rows[0].failures + 1;
      if (failures >= MAX_FAILURES) {
        await this.park(manager, handler, event, message);
        this.logger.error(`${handler}: ${message}; parked after ${failures} tries, an operator has to look at it`);
        return true;
      }
      const delay = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
      await manager.query('update event_handler set failures = $2, retry_at = $3 where name = $1', [
        handler,
        failures,
        new Date(now.getTime() + delay),
      ]);
      this.logger.warn(`${handler}: ${message}; try ${failures} of ${MAX_FAILURES}, again in ${delay} ms`);
      return false;
    });
  }

  /** With all that is needed to announce it again, because its row in the stream may be pruned by then. */
  private async park(manager: EntityManager, handler: string, event: StreamEvent, error: string): Promise<void> {
    await manager.query(
      `insert into parked_event (handler, position, event_id, name, payload, recorded_at, error)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [handler, event.position, event.id, event.name, event.payload, event.recordedAt, error],
    );
    await this.moveTo(manager, handler, event.position);
  }
}
