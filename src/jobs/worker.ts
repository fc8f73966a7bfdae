import { Logger } from '@nestjs/common';
import { SingleFlight } from '../concurrency/single-flight.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { LeaseLostError, type LeasedRows } from './leased-rows.js';
import type { Leased } from './work-table.js';

/** How often a server looks for work whose time has come, or that another server wrote; its own wakes it at once. */
const POLL_MS = 1_000;
const STOP_TIMEOUT_MS = 10_000;
/** Before a row is tried again whose run ended in an error that its owner did not expect; doubled after each. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;

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
  private readonly looks = new SingleFlight();
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = true;

  constructor(
    readonly rows: LeasedRows,
    private readonly work: Work,
  ) {}

  start(): void {
    this.isStopped = false;
    this.timer = setInterval(() => this.wake(), POLL_MS);
    this.wake();
  }

  /** Looks for work now; returns at once. */
  wake(): void {
    if (!this.isStopped) void this.looks.follow(() => this.look());
  }

  /** Lets running work finish for a while; what does not is taken up by another server after its lease. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.looks.settle();
    await withTimeout(Promise.all(this.running), STOP_TIMEOUT_MS, () => undefined);
  }

  /** Never throws. */
  private async look(): Promise<void> {
    const free = this.work.concurrency - this.running.size;
    if (this.isStopped || free <= 0) return;
    try {
      for (const leased of await this.rows.claim(free, ...(this.work.claimParameters?.() ?? []))) this.begin(leased);
    } catch (error) {
      this.logger.warn(`${this.rows.table.queue}: cannot look for work: ${(error as Error).message}`);
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
      this.logger.error(`${queue} ${leased.id} failed and is tried again in ${retryMs} ms: ${(error as Error).stack}`);
      await this.rows.putOff(leased, retryMs).catch(() => {
        // The database is away: the row is due again when its lease ends.
      });
    }
  }
}
