import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { changeInBatches } from '../database/changes.js';
import { type GaugeSource, Measured, type Readings, type Sample } from '../measures/measured.js';
import { type Depth, LeasedRows } from './leased-rows.js';
import type { WorkTable } from './work-table.js';
import { type Work, Worker } from './worker.js';

const GAUGES = { signet_jobs: ['Jobs by queue and state', 'queue', 'state'] } as const;

/** Rows that become work again in one transaction. */
export const REVIVED_AT_ONCE = 500;

/**
 * Durable work: rows with a time at which they are due, a lease, back-off and a dead state. The row that is to be
 * worked on is the job itself, written in the transaction of the change that it serves, so the two cannot disagree; a
 * queue library would keep each piece of work twice.
 *
 * Rechecks (`DueRechecks`) are no queue of this kind: each row of the largest table is due for ever, and one column is
 * due time and lease in one, so that a verdict is one write to one index. Nor are rounds of witnesses (`WitnessStore`):
 * a few rows with no outcome that could be lost.
 */
@Injectable()
@Measured()
export class JobQueues implements OnApplicationBootstrap, OnApplicationShutdown, GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  private readonly workers = new Map<string, Worker>();
  /** Queues that got a job in a transaction, by the query runner of that transaction, which runs no other one. */
  private readonly added = new WeakMap<QueryRunner, Set<string>>();

  constructor(private readonly dataSource: DataSource) {
    dataSource.subscribers.push({
      afterTransactionCommit: ({ queryRunner }) => {
        // TypeORM announces the end of a savepoint in the same way, which is not the end of the transaction.
        if (queryRunner.isTransactionActive) return;
        for (const queue of this.added.get(queryRunner) ?? []) this.wake(queue);
      },
    });
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

  /**
   * Makes the workers of this server poll the queue as soon as the transaction of `manager` is committed: before, they
   * would find nothing.
   */
  wakeAfterCommit({ queryRunner }: EntityManager, queue: string): void {
    this.added.set(queryRunner!, (this.added.get(queryRunner!) ?? new Set()).add(queue));
  }

  /** Makes the workers of this server poll the queue now. */
  wake(queue: string): void {
    this.workers.get(queue)?.wake();
  }

  /** Makes all due that waits for the times of a clock that was put back; workers do it now and then by themselves. */
  async pullBack(): Promise<void> {
    for (const worker of this.workers.values()) await worker.pullBack();
  }

  /**
   * Makes rows of a queue with dead letters work again from the beginning, in any state of theirs. Returns how many.
   * @param condition in SQL, with `values`; matches up to `REVIVED_AT_ONCE` rows, and none that was revived before
   */
  async revive(queue: string, condition: string, values: unknown[]): Promise<number> {
    const { table, dueAt, dead } = this.workers.get(queue)!.rows.table;
    const sql = `
      update ${table} set ${dueAt} = now(), leased_until = null, unfinished_runs = 0, dead_letter_id = null, dead_at = null, ${dead!.revive}
      where ${condition}`;
    const revived = await changeInBatches(this.dataSource, REVIVED_AT_ONCE, sql, values);
    if (revived > 0) this.wake(queue);
    return revived;
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

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const samples = (await this.depths()).flatMap(({ queue, ...states }) =>
      Object.entries(states).map(([state, count]): Sample => [{ queue, state }, count]),
    );
    return { signet_jobs: samples };
  }
}
