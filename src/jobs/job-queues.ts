import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Depth, LeasedRows } from './leased-rows.js';
import { WakeAfterCommit } from './wake-after-commit.js';
import type { WorkTable } from './work-table.js';
import { type Work, Worker } from './worker.js';

/**
 * Durable work: rows with a time at which they are due, a lease, back-off and a dead state. The row that is to be
 * worked on is the job itself, written in the transaction of the change that it serves, so the two cannot disagree.
 *
 * Choice: own code and no queue library. With pg-boss each piece of work stood twice, as a row with its state and as a
 * job with another, and what kept the two together (sweepers for lost jobs, sequence numbers against jobs that come
 * twice, adapters for transactions and the embedded engine) was longer than this folder.
 *
 * Two things that are done again and again are not queues of this kind, on purpose:
 *
 * - Rechecks (`DueRechecks`). The table `proof` is the largest of all, and each of its rows is due for ever. Its column
 *   `next_check_at` is both the time at which a row is due and the end of its lease, so a claim, a verdict and putting
 *   a row back are one write to one index each; a column for the lease would double both. Rechecks have no dead state.
 * - Rounds of witnesses (`WitnessStore`). A few rows with an interval and no outcome that could be lost: a server that
 *   dies in a round delays the next cosignature by one interval.
 */
@Injectable()
export class JobQueues implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly workers = new Map<string, Worker>();
  private readonly afterCommit = new WakeAfterCommit((queue) => this.wake(queue));

  constructor(private readonly dataSource: DataSource) {
    dataSource.subscribers.push(this.afterCommit);
  }

  /**
   * Registers the work for the rows of a table. To be called while the modules are initialised, before the application
   * starts.
   */
  register(table: WorkTable, work: Work): LeasedRows {
    const rows = new LeasedRows(this.dataSource, table);
    this.workers.set(table.queue, new Worker(rows, work));
    return rows;
  }

  onApplicationBootstrap(): void {
    for (const worker of this.workers.values()) worker.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.workers.values()].map((worker) => worker.stop()));
  }

  /** Makes the workers of this server poll the queue as soon as the transaction of `manager` is committed. */
  wakeAfterCommit(manager: EntityManager, queue: string): void {
    this.afterCommit.note(manager.queryRunner!, queue);
  }

  /** Makes the workers of this server poll the queue now. */
  wake(queue: string): void {
    this.workers.get(queue)?.wake();
  }

  /** The tables of all queues of this server. */
  get tables(): WorkTable[] {
    return [...this.workers.values()].map(({ rows }) => rows.table);
  }

  /** Work of each queue by state, for metrics and the admin page. */
  async depths(): Promise<(Depth & { queue: string })[]> {
    const depths: (Depth & { queue: string })[] = [];
    for (const { rows } of this.workers.values()) depths.push({ queue: rows.table.queue, ...(await rows.depth()) });
    return depths;
  }
}
