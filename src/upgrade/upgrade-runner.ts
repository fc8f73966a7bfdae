import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';
import { diskOf } from './disk-space.js';
import { UPGRADE_STEPS, type UpgradeStep } from '../database/schema/upgrade-steps.js';
import { UpgradeStatus } from '../database/schema/upgrade-status.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { JobQueues } from '../jobs/job-queues.js';
import { type GaugeSource, Measured, type Readings } from '../measures/measured.js';
import type { LeasedRows } from '../jobs/leased-rows.js';
import type { Leased, WorkTable } from '../jobs/work-table.js';
import { LONGEST_RETRY_MS } from '../jobs/worker.js';
import { backfill } from './backfill.js';
import { bytesOfStep, roomProblem, tableSize } from './forecast.js';
import { buildIndex } from './index-build.js';
import { StepLease, StepStoppedError } from './step-lease.js';

const GAUGES = {
  signet_upgrade_steps_pending: ['Steps of the upgrade that are not done'],
  signet_upgrade_steps_stuck: ['Steps of the upgrade that failed and are tried again'],
  signet_upgrade_step_progress: ['How much of a step is done, from 0 to 1', 'step'],
} as const;

const WORK: WorkTable = {
  queue: 'upgrade',
  table: 'upgrade_step',
  dueAt: 'due_at',
  // The lease is renewed every second. So long after a server died, another one goes on.
  leaseMs: 30_000,
  mostMs: LONGEST_RETRY_MS,
  // The first step of this version that is not done: one at a time among its servers, in their order.
  condition:
    'id = any($3::text[]) and place = (select min(place) from upgrade_step where due_at is not null and id = any($3::text[]))',
};

/**
 * Does the long work of an upgrade while the servers serve: one server does one step at a time, in rounds that hold no
 * lock for long. The work of a server that died is kept: a back-fill continues after its last round, and the index that
 * PostgreSQL still builds is waited for.
 */
@Injectable()
@Measured()
export class UpgradeRunner implements OnModuleInit, BeforeApplicationShutdown, GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  private readonly logger = new Logger('Upgrade');
  private rows: LeasedRows | undefined;
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: WriteTransactions,
    private readonly queues: JobQueues,
    private readonly status: UpgradeStatus,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /** A server that finds everything done has no such queue. */
  async onModuleInit(): Promise<void> {
    const left = await this.status.stepsLeft();
    if (left.length === 0) return;
    this.logger.log(`${left.length} steps of the upgrade are to be done: ${left.map(({ title }) => title).join('; ')}`);
    this.rows = this.queues.register(WORK, {
      concurrency: 1,
      run: (leased) => this.run(leased),
      claimParameters: () => [UPGRADE_STEPS.map(({ id }) => id)],
    });
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const left = await this.status.stepsLeft();
    return {
      signet_upgrade_steps_pending: left.length,
      signet_upgrade_steps_stuck: left.filter(({ state }) => state === 'stuck').length,
      signet_upgrade_step_progress: left.map(({ id, part }) => [{ step: id }, part]),
    };
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  private async run(leased: Leased): Promise<void> {
    const step = UPGRADE_STEPS.find(({ id }) => id === leased.id)!;
    const lease = new StepLease(this.rows!, leased, step.title, () => this.isStopping);
    try {
      await this.assertRoom(step);
      await lease.begin();
      await this.work(step, lease);
      await this.transactions.run((manager) => lease.finish(manager));
    } catch (error) {
      if (error instanceof StepStoppedError) return this.rows!.putOff(leased, 0);
      await lease.fail((error as Error).message);
      throw error;
    }
  }

  /** @throws Error if the disk of the database can be seen and has too little room */
  private async assertRoom(step: UpgradeStep): Promise<void> {
    const disk = await diskOf(this.database, this.dataSource);
    const problem =
      disk && roomProblem(bytesOfStep(step, await tableSize(this.dataSource, step.table)), disk.freeBytes);
    if (problem) throw new Error(`${step.title}: ${problem}`);
  }

  private async work(step: UpgradeStep, lease: StepLease): Promise<void> {
    const { dataSource, transactions, database } = this;
    switch (step.kind) {
      case 'index':
        return buildIndex(dataSource, database, step, lease);
      case 'backfill':
        return backfill(dataSource, transactions, database, step, lease);
      case 'task':
        await transactions.run((manager) => step.run(manager));
    }
  }
}
