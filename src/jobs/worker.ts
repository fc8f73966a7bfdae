import { Logger } from '@nestjs/common';
import { SingleFlight } from '../concurrency/single-flight.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { LeaseLostError, type LeasedRows } from './leased-rows.js';
import type { Leased } from './work-table.js';

/** How often a server polls for work that became due or was added elsewhere; its own work wakes it at once. */
const POLL_MS = 1_000;
const STOP_TIMEOUT_MS = 10_000;
/** How often rows are looked for that were put off by a clock that was ahead, and how many become due at once. */
const PULL_BACK_MS = 600_000;
const PULLED_BACK_AT_ONCE = 1_000;
/** Milliseconds until a row is tried again whose run ended in an unexpected error; doubled after each failure. */
const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 300_000;

/** What a module does with the rows of its queue. */
export interface Work {
  /** Rows that this server works on at the same time. */
  concurrency: number;
  /** Works on one row and writes the outcome; an error puts the row off. */
  run(leased: Leased): Promise<void>;
  /** Further parameters of the select of due rows. */
  claimParameters?(): unknown[];
}

/** Works on the rows of one queue, a bounded number at a time. */
export class Worker {
  private readonly logger = new Logger('Jobs');
  private readonly polls = new SingleFlight();
  private readonly running = new Set<Promise<void>>();
  private timers: NodeJS.Timeout[] = [];
  private isStopped = true;

  constructor(
    readonly rows: LeasedRows,
    private readonly work: Work,
  ) {}

  start(): void {
    this.isStopped = false;
    this.timers = [
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.polls.follow(() => this.pullBack(), 'pull back'), PULL_BACK_MS),
    ];
    this.wake();
  }

  /** Polls for work now; returns at once. */
  wake(): void {
    if (!this.isStopped) void this.polls.follow(() => this.poll());
  }

  /** Waits a while for running work; another server takes over unfinished rows after their leases. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.polls.settle();
    await withTimeout(Promise.all(this.running), STOP_TIMEOUT_MS, () => undefined);
  }

  /** Never throws. */
  private async poll(): Promise<void> {
    const free = this.work.concurrency - this.running.size;
    if (this.isStopped || free <= 0) return;
    try {
      for (const leased of await this.rows.claim(free, ...(this.work.claimParameters?.() ?? []))) this.begin(leased);
    } catch (error) {
      this.logger.warn(`The queue ${this.rows.table.queue} cannot be polled: ${(error as Error).message}`);
    }
  }

  /** Makes rows due that wait for the times of a clock that was put back. Never throws. */
  async pullBack(): Promise<void> {
    const { queue } = this.rows.table;
    try {
      const count = await this.rows.pullBack(PULLED_BACK_AT_ONCE);
      if (count > 0) this.logger.warn(`${count} jobs of ${queue} waited for times of a clock that was put back.`);
    } catch (error) {
      this.logger.warn(`The queue ${queue} cannot be looked through: ${(error as Error).message}`);
    }
  }

  private begin(leased: Leased): void {
    const run = this.run(leased).finally(() => {
      this.running.delete(run);
      // Where one was, there may be more.
      this.wake();
    });
    this.running.add(run);
  }

  /** Never throws. */
  private async run(leased: Leased): Promise<void> {
    const { queue } = this.rows.table;
    try {
      await this.work.run(leased);
    } catch (error) {
      if (error instanceof LeaseLostError) return this.logger.debug(error.message);
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(leased.unfinishedRuns - 1, 20), LONGEST_RETRY_MS);
      this.logger.error(`The job ${queue} ${leased.id} failed; next try in ${retryMs} ms: ${(error as Error).stack}`);
      await this.rows.putOff(leased, retryMs).catch(() => {
        // The database is away: the row is due again when its lease ends.
      });
    }
  }
}
