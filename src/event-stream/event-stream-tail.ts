import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Subject } from 'rxjs';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { EventWakeUp } from '../events/event-wake-up.js';
import {
  type EventFilter,
  EventLog,
  type EventStretch,
  type StreamBounds,
  type StreamEvent,
} from '../events/event-log.js';
import { FramedEvent } from './framed-event.js';

/** Events kept in memory, under 1 KiB each: readers that come back after a restart or a short break cost no query. */
const KEPT = 1000;
/** Events of one query. */
const PAGE = 500;
/** A wake-up may get lost, so new events are polled at least this often while there are readers. */
const POLL_MS = 1000;

/** A stretch of the stream with the events that a reader asked for. */
export interface FramedStretch extends Omit<EventStretch, 'events'> {
  events: FramedEvent[];
}

const NOTHING: EventStretch = { events: [], first: null, last: null };

/**
 * Reads the newest events once for all readers of this process. Positions are gapless and never late, so each read
 * continues after the last position. Nothing is read without readers.
 */
@Injectable()
export class EventStreamTail {
  /** Emits after each read of the stream, whether there was something new or not. */
  readonly looked = new Subject<void>();

  private readonly logger = new Logger('EventStreamTail');
  private recent: FramedEvent[] = [];
  private newest = 0;
  private isFollowed = false;
  private isFresh = false;
  /** Whether a read that is under way may have texts that were erased meanwhile. */
  private isDoubtful = false;
  private readonly reads = new SingleFlight();
  private readonly boundsReads = new SingleFlight<StreamBounds>();
  private readTurn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: EventLog,
    private readonly environment: Environment,
    wakeUp: EventWakeUp,
  ) {
    wakeUp.streamGrew.subscribe(() => this.tick());
    wakeUp.textsErased.subscribe(() => this.forgetTexts());
  }

  /** Position of the newest event that was read. */
  get position(): number {
    return this.newest;
  }

  /**
   * Has to be called before each use by a new reader. Resolves when `position` is up to date. @throws Error of the
   * database
   */
  async follow(): Promise<void> {
    this.isFollowed = true;
    if (!this.isFresh) await this.readNew();
  }

  /** Stops following, once no reader is left. */
  stopFollowing(): void {
    this.isFollowed = false;
    this.isFresh = false;
  }

  @Interval(POLL_MS)
  tick(): void {
    if (!this.isFollowed) return;
    this.readNew().catch((error: unknown) => this.logger.warn(`Event streams wait: ${(error as Error).message}`));
  }

  /** Up to `limit` events behind `position` from memory, or null if it does not reach back that far. */
  after(position: number, limit: number): FramedStretch | null {
    const forgotten = this.newest - this.recent.length;
    if (position < forgotten) return null;
    const events = this.recent.slice(position - forgotten, position - forgotten + limit);
    return { events, first: events[0]?.position ?? null, last: events.at(-1)?.position ?? null };
  }

  /**
   * Reads events from the database for a reader that is far behind: up to `limit` of those after `position` that pass
   * `filter`. One reader reads at a time, so that thousands of readers leave connections for requests. A reader that
   * has gone before its turn gets nothing.
   */
  async readBack(
    position: number,
    limit: number,
    filter: EventFilter,
    isWanted: () => boolean,
  ): Promise<FramedStretch> {
    const read = this.readTurn.then(() => (isWanted() ? this.log.find(position, limit, filter) : NOTHING));
    this.readTurn = read.catch(() => {});
    const { events, first, last } = await read;
    return { events: this.framed(events), first, last };
  }

  /** Oldest and newest position kept; concurrent callers share one query, so that openings use one connection. */
  bounds(): Promise<StreamBounds> {
    return this.boundsReads.follow(() => this.log.bounds());
  }

  private framed(events: StreamEvent[]): FramedEvent[] {
    return events.map((event) => new FramedEvent(event, this.environment));
  }

  /** Reads all new events, including those that arrive during a read under way. */
  private readNew(): Promise<void> {
    return this.reads.follow(() => this.readPages());
  }

  private async readPages(): Promise<void> {
    if (this.isDoubtful) this.forgetUpTo(this.newest);
    this.isDoubtful = false;
    if (!this.isFresh) await this.jumpForward();
    for (let isFull = true; isFull;) {
      const events = await this.log.after(this.newest, PAGE);
      this.append(this.framed(events));
      isFull = events.length === PAGE;
      this.looked.next();
    }
    // Not before the last page: until then a new reader has to wait, or it would start in the past.
    this.isFresh = this.isFollowed;
  }

  /** After a pause without readers: skips events that would not be kept anyway. */
  private async jumpForward(): Promise<void> {
    const { first, last } = await this.log.bounds();
    if (last < this.newest || last - this.newest > KEPT) this.forgetUpTo(Math.max(0, first - 1, last - KEPT));
  }

  private append(events: FramedEvent[]): void {
    const [next] = events;
    if (!next) return;
    // Pruned before they were read, as after a long stop of the process: readers that need them find the gap
    // themselves.
    if (next.position !== this.newest + 1) this.forgetUpTo(next.position - 1);
    this.recent.push(...events);
    this.newest += events.length;
    if (this.recent.length > 2 * KEPT) this.recent = this.recent.slice(-KEPT);
  }

  private forgetTexts(): void {
    this.forgetUpTo(this.newest);
    this.isDoubtful = true;
    this.tick();
  }

  private forgetUpTo(position: number): void {
    this.recent = [];
    this.newest = position;
  }
}
