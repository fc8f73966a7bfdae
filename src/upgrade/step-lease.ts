import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LeasedRows } from '../jobs/leased-rows.js';
import type { Leased } from '../jobs/work-table.js';

/** Between two lines in the log about one step. */
const LOG_EVERY_MS = 10_000;

/** This server stops; the step is left to another one, or to its next start. */
export class StepStoppedError extends Error {}

/** A step of the upgrade while this server works on it: keeps the lease, and logs how far the step is. */
export class StepLease {
  private readonly logger = new Logger('Upgrade');
  private readonly startedAtMs = performance.now();
  private loggedAtMs = performance.now();

  constructor(
    private readonly rows: LeasedRows,
    private readonly leased: Leased,
    private readonly title: string,
    private readonly isStopping: () => boolean,
  ) {}

  /** @throws LeaseLostError */
  async begin(): Promise<void> {
    this.logger.log(`A step begins: ${this.title}`);
    await this.rows.write(this.leased, 'started_at = coalesce(started_at, now())', []);
  }

  /**
   * Keeps the lease and writes how far the step is.
   * @param note why it does not go on; empty if it does
   * @throws LeaseLostError if another server has the step; StepStoppedError if this one stops.
   */
  async report(done: number, total: number, note = ''): Promise<void> {
    if (this.isStopping()) throw new StepStoppedError();
    await this.rows.renew(this.leased);
    await this.rows.write(this.leased, 'done = $3, total = $4, problem = $5', [done, total, note]);
    if (performance.now() - this.loggedAtMs < LOG_EVERY_MS) return;
    this.loggedAtMs = performance.now();
    const percent = Math.floor((100 * done) / Math.max(1, total));
    this.logger.log(`${this.title}: ${percent} %${note && ` (${note})`}`);
  }

  /** In the transaction of `manager`. @throws LeaseLostError */
  async finish(manager: EntityManager): Promise<void> {
    await this.rows.finish(manager, this.leased, null, "finished_at = now(), problem = ''", []);
    const seconds = Math.ceil((performance.now() - this.startedAtMs) / 1000);
    this.logger.log(`A step is done: ${this.title}, in ${seconds} s`);
  }

  /** Writes why the step failed, if it is still this server's. Never throws. */
  async fail(problem: string): Promise<void> {
    await this.rows.write(this.leased, 'problem = $3', [problem]).catch(() => {
      // The database is away, or another server has the step.
    });
  }
}
