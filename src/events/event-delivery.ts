import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { DataSource, type EntityManager } from 'typeorm';
import type { DomainEventName } from '../domain/domain-events.js';
import { EventLog, type StreamEvent } from './event-log.js';
import { type Announced, emitterName, handlerOf } from './on-domain-event.js';

/** Events that one listener gets in one transaction while all goes well. */
const BATCH = 100;
/** After this many failed tries an event is parked for the listener, which goes on with the next. */
const MAX_FAILURES = 10;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

interface Cursor {
  position: number;
  failures: number;
}

/** A listener could not take an event; carries which, so that it can be parked. */
class DeliveryFailure extends Error {
  constructor(
    readonly event: StreamEvent,
    cause: unknown,
  ) {
    super(`event ${event.position} (${event.name}) failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/**
 * Hands numbered events to the in-process listeners, in order and at least once. Each listener has its own cursor, moved in the transaction of what it
 * writes, so a server that dies repeats at most what was rolled back; of several servers one at a time serves a listener.
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
    for (const handler of await this.behind(now)) {
      try {
        hasMore = (await this.deliverTo(handler, now)) || hasMore;
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error;
        await this.recordFailure(handler, error, now);
      }
    }
    return hasMore;
  }

  /** Listeners of this server that have events before them and no retry to wait for. */
  private async behind(now: Date): Promise<string[]> {
    const names = this.emitter.eventNames().flatMap((name) => handlerOf(String(name)) ?? []);
    const rows: { name: string }[] = await this.dataSource.query(
      `select mine.name from unnest($1::text[]) as mine(name) left join event_handler as cursor using (name)
       where coalesce(cursor.position, 0) < (select max(position) from domain_event)
         and (cursor.retry_at is null or cursor.retry_at <= $2)`,
      [[...new Set(names)], now],
    );
    return rows.map((row) => row.name);
  }

  /** Whether there may be more. */
  private async deliverTo(handler: string, now: Date): Promise<boolean> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const cursor = await this.claim(manager, handler, now);
      if (!cursor) return false;
      // After a failure events go one by one, so that the failing one is known and those before it are done.
      const limit = cursor.failures > 0 ? 1 : BATCH;
      const events = await this.log.after(cursor.position, limit, manager);
      const last = events.at(-1);
      if (!last) return false;
      for (const event of events) await this.announce(manager, handler, event);
      await manager.query('update event_handler set position = $2, failures = 0, retry_at = null where name = $1', [
        handler,
        last.position,
      ]);
      return events.length === limit;
    });
  }

  /** The cursor of `handler`, locked, or null if another server has it or a retry is not due. */
  private async claim(manager: EntityManager, handler: string, now: Date): Promise<Cursor | null> {
    await manager.query('insert into event_handler (name) values ($1) on conflict (name) do nothing', [handler]);
    const rows: { position: string; failures: number }[] = await manager.query(
      `select position, failures from event_handler
       where name = $1 and (retry_at is null or retry_at <= $2) for update skip locked`,
      [handler, now],
    );
    return rows[0] ? { position: Number(rows[0].position), failures: rows[0].failures } : null;
  }

  private async announce(manager: EntityManager, handler: string, event: StreamEvent): Promise<void> {
    const announced: Announced = { ...event, manager };
    try {
      await this.emitter.emitAsync(emitterName(handler, event.name as DomainEventName), announced);
    } catch (error) {
      throw new DeliveryFailure(event, error);
    }
  }

  private async recordFailure(handler: string, failure: DeliveryFailure, now: Date): Promise<void> {
    const { event } = failure;
    await this.dataSource.transaction(async (manager) => {
      const rows: { failures: number }[] = await manager.query(
        'select failures from event_handler where name = $1 for update',
        [handler],
      );
      const failures = (rows[0]?.failures ?? 0) + 1;
      if (failures < MAX_FAILURES) {
        const delay = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
        await manager.query('update event_handler set failures = $2, retry_at = $3 where name = $1', [
          handler,
          failures,
          new Date(now.getTime() + delay),
        ]);
        this.logger.warn(`${handler}: ${failure.message}; try ${failures} of ${MAX_FAILURES}, again in ${delay} ms`);
        return;
      }
      await manager.query(
        'insert into parked_event (handler, position, event_id, name, error) values ($1, $2, $3, $4, $5) on conflict do nothing',
        [handler, event.position, event.id, event.name, failure.message],
      );
      await manager.query('update event_handler set position = $2, failures = 0, retry_at = null where name = $1', [
        handler,
        event.position,
      ]);
      this.logger.error(
        `${handler}: ${failure.message}; parked after ${MAX_FAILURES} tries, an operator has to look at it`,
      );
    });
  }
}
