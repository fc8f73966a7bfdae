import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleFlight } from '../concurrency/single-flight.js';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { KvFeed } from './kv-feed.js';

const PERIOD_MS = 1000;
/** Patches of one transaction, for which writers wait; on the embedded engine all requests wait for it. */
const BATCH = { postgres: 1000, embedded: 200 };
/** Milliseconds that one transaction may take, so that a server that is paused does not keep the lock. */
const BATCH_MS = 20_000;

/**
 * Gives numbers in the feed to committed patches that have none: those of servers of 0.1.0, and those that were written
 * while the feed had no indexes. Each server looks once a second.
 */
@Injectable()
export class PatchNumbering implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('KvFeed');
  private readonly passes = new SingleFlight();
  private readonly limit: number;
  private isStopped = false;

  constructor(
    private readonly feed: KvFeed,
    private readonly transactions: WriteTransactions,
    @Inject(OPEN_DATABASE) database: OpenDatabase,
  ) {
    this.limit = BATCH[database.kind];
  }

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Looks for patches without a number; returns at once. */
  @Interval(PERIOD_MS)
  wake(): void {
    if (!this.isStopped) void this.passes.follow(() => this.numberAll());
  }

  /** Lets the batch under way finish. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.passes.settle();
  }

  /** Never throws: the next look tries again. */
  private async numberAll(): Promise<void> {
    try {
      if (!(await this.feed.hasIndexes())) return;
      for (let hasMore = (await this.feed.state()).hasUnnumbered; hasMore && !this.isStopped;) {
        const number = () =>
          this.transactions.run((manager) => this.feed.numberCommitted(manager, this.limit), { totalMs: BATCH_MS });
        hasMore = (await number()) === this.limit;
      }
    } catch (error) {
      if (!this.isStopped)
        this.logger.warn(`Patches got no numbers, and will get them later: ${(error as Error).message}`);
    }
  }
}
