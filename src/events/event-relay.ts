import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { poolOf } from '../database/connections/pool-of.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { EventDelivery } from './event-delivery.js';
import { EVENT_CHANNEL, EventWakeUp } from './event-wake-up.js';

/** Events that are numbered in one transaction. */
const BATCH = 1000;
/** How often the relay polls, for events whose server died before it could wake the relay. */
const POLL_MS = 1000;
/**
 * The least time between the beginnings of two passes. A pass costs some fifteen round trips to the database, however
 * many events it has, so under load it is better to number what a few batches of changes have left.
 */
const PERIOD_MS = 50;

const NUMBER = `
  with head as (select coalesce(max(position), 0) as position from domain_event),
  unnumbered as (
    select id, row_number() over (order by draw) as row_in_batch
    from (select id, draw from domain_event where position is null order by draw limit ${BATCH}) as oldest
  )
  update domain_event set position = head.position + unnumbered.row_in_batch
  from head, unnumbered where domain_event.id = unnumbered.id`;

/**
 * Gives committed events their positions and announces them. Events are inserted without a position, because a number
 * drawn inside a transaction can become visible after a higher one; the relay numbers what is committed, one server at
 * a time, so positions have no gaps and no late arrivals (docs/design/decisions.md 8).
 */
@Injectable()
export class EventRelay implements OnApplicationShutdown {
  private readonly logger = new Logger('EventRelay');
  private readonly passes = new SingleFlight();
  private readonly script: string;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  private beganAtMs = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly wakeUp: EventWakeUp,
    private readonly delivery: EventDelivery,
    transactions: WriteTransactions,
  ) {
    const opening = transactions.opening({ lock: ADVISORY_LOCKS.relay });
    this.script = [opening, NUMBER, `select pg_notify('${EVENT_CHANNEL}', '')`].join(';\n');
  }

  /**
   * Starts a pass, because an event was committed or for a poll; returns at once. The pass begins at once unless one
   * began a moment ago.
   */
  @Interval(POLL_MS)
  wake(): void {
    // While a timer runs, committed events wait until it ends.
    if (this.isStopped || this.timer !== undefined) return;
    const waitMs = this.beganAtMs + PERIOD_MS - performance.now();
    if (waitMs <= 0) return this.startPass();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.startPass();
    }, waitMs);
  }

  /** Lets the pass that runs finish its transaction. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.passes.settle();
  }

  private startPass(): void {
    void this.passes.follow(() => this.pass());
  }

  /** Never throws. */
  private async pass(): Promise<void> {
    this.beganAtMs = performance.now();
    try {
      for (let hasMore = true; hasMore && !this.isStopped;) {
        const numbered = await this.numberCommitted();
        if (numbered > 0) this.wakeUp.streamGrew.next();
        const delivered = await this.delivery.deliverNext();
        hasMore = numbered === BATCH || delivered;
      }
    } catch (error) {
      // The next poll tries again; committed events stay where they are.
      this.logger.warn(`The event relay failed and will try again: ${(error as Error).message}`);
    }
  }

  /**
   * Gives positions to the oldest committed events that have none. Returns how many got one. All statements are one
   * message to the database, which runs them by itself: a paused server never keeps the lock from the others.
   */
  private async numberCommitted(): Promise<number> {
    const waiting: unknown[] = await this.dataSource.query('select 1 from domain_event where position is null limit 1');
    if (waiting.length === 0) return 0;
    const results: unknown = await poolOf(this.dataSource).query(this.script);
    return (results as pg.QueryResult[]).at(-2)!.rowCount ?? 0;
  }
}
