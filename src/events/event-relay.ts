import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type pg from 'pg';
import { asyncScheduler, Subject, Subscription, throttleTime } from 'rxjs';
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
 * Milliseconds between the starts of two passes: all requests for a pass within that time share the next one. A pass
 * over many events costs about the same as one over a few, so under load one pass serves several batches of changes.
 * Readers of the stream wait for the positions.
 */
const PERIOD_MS = { positions: 50, listeners: 200 };
const PACE = { leading: true, trailing: true };

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
  private readonly committed = new Subject<void>();
  private readonly numbered = new Subject<void>();
  private readonly starts = new Subscription();
  private readonly script: string;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly wakeUp: EventWakeUp,
    private readonly delivery: EventDelivery,
    transactions: WriteTransactions,
  ) {
    const opening = transactions.opening({ lock: ADVISORY_LOCKS.relay });
    this.script = [opening, NUMBER, `select pg_notify('${EVENT_CHANNEL}', '')`].join(';\n');
    this.startWhenAsked('positions', this.committed);
    this.startWhenAsked('listeners', this.numbered);
  }

  /** Starts a pass, because an event was committed or for a poll; returns at once. */
  @Interval(POLL_MS)
  wake(): void {
    this.committed.next();
  }

  /** Lets the passes that run finish their transactions. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.starts.unsubscribe();
    await this.passes.settle();
  }

  private startWhenAsked(pass: keyof typeof PERIOD_MS, asked: Subject<void>): void {
    const paced = asked.pipe(throttleTime(PERIOD_MS[pass], asyncScheduler, PACE));
    this.starts.add(paced.subscribe(() => void this.passes.follow(() => this.pass(pass), pass)));
  }

  /** Never throws. */
  private async pass(pass: keyof typeof PERIOD_MS): Promise<void> {
    try {
      while (!this.isStopped && (await (pass === 'positions' ? this.numberNext() : this.delivery.deliverNext())));
    } catch (error) {
      // The next poll tries again; committed events stay where they are.
      this.logger.warn(`The event relay failed and will try again: ${(error as Error).message}`);
    }
  }

  /** Gives positions to some events, announces them, and asks for the listeners. Returns whether there may be more. */
  private async numberNext(): Promise<boolean> {
    const numbered = await this.numberCommitted();
    if (numbered > 0) this.wakeUp.streamGrew.next();
    this.numbered.next();
    return numbered === BATCH;
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
