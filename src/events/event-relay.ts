import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { EventWakeUp, EVENT_CHANNEL } from './event-wake-up.js';
import { EventDelivery } from './event-delivery.js';

/** Any number that no other advisory lock of this database uses. */
const RELAY_LOCK = 7_367_102;
/** Events that are numbered in one transaction. */
const BATCH = 1000;
/** How often the relay looks by itself, for events whose server died before it could wake the relay. */
const POLL_MS = 1000;

const NUMBER = `
  with head as (select coalesce(max(position), 0) as position from domain_event),
  waiting as (
    select id, row_number() over (order by draw) as place
    from (select id, draw from domain_event where position is null order by draw limit ${BATCH}) as oldest
  )
  update domain_event set position = head.position + waiting.place
  from head, waiting where domain_event.id = waiting.id`;

/**
 * Gives committed events their positions and announces them. Events are inserted without a position, because a number
 * drawn inside a transaction can become visible after a higher one; the relay numbers what is committed, one server at
 * a time, so positions have no gaps and no late arrivals (docs/design/decisions.md 8).
 */
@Injectable()
export class EventRelay implements OnApplicationShutdown {
  private readonly logger = new Logger('EventRelay');
  private readonly passes = new SingleFlight();
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly wakeUp: EventWakeUp,
    private readonly delivery: EventDelivery,
  ) {}

  /** Says that an event was committed; returns at once. */
  wake(): void {
    if (!this.isStopped) void this.passes.follow(() => this.pass());
  }

  @Interval(POLL_MS)
  tick(): void {
    this.wake();
  }

  /** Lets the pass that runs finish its transaction. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.passes.settle();
  }

  /** Never throws. */
  private async pass(): Promise<void> {
    try {
      for (let hasMore = true; hasMore && !this.isStopped;) {
        const numbered = await this.numberCommitted();
        if (numbered > 0) this.wakeUp.rung.next();
        const delivered = await this.delivery.deliverNext(new Date());
        hasMore = numbered === BATCH || delivered;
      }
    } catch (error) {
      // The next tick tries again; whatever was committed stays where it is.
      this.logger.warn(`events wait: ${(error as Error).message}`);
    }
  }

  /** Positions for the oldest committed events that have none; how many got one. */
  private async numberCommitted(): Promise<number> {
    const waiting: unknown[] = await this.dataSource.query('select 1 from domain_event where position is null limit 1');
    if (waiting.length === 0) return 0;
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [RELAY_LOCK]);
      const [, numbered] = (await manager.query(NUMBER)) as [unknown, number];
      await manager.query(`select pg_notify('${EVENT_CHANNEL}', '')`);
      return numbered;
    });
  }
}
