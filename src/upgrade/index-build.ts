import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { OpenDatabase } from '../database/database.js';
import { DatabaseClient } from '../database/connections/database-client.js';
import { buildProgress, type IndexState, indexState } from '../database/schema/index-builds.js';
import { createIndexSql, type IndexStep } from '../database/schema/migrations/upgrade-steps.js';
import type { StepLease } from './step-lease.js';

/** How often the progress is looked at, and the lease renewed. */
const LOOK_MS = 1000;
const PERMILLE = 1000;

/**
 * Builds an index while others write. PostgreSQL does that in a session of its own, outside transactions, which also
 * goes on when this process dies: then the server that takes up the step waits for it. Half an index, left by a session
 * that died too, is removed first.
 */
export class IndexBuild {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: OpenDatabase,
    private readonly step: IndexStep,
    private readonly lease: StepLease,
  ) {}

  /** @throws LeaseLostError, StepStoppedError, the driver's error */
  async run(): Promise<void> {
    for (;;) {
      const state = await indexState(this.query, this.step.id);
      if (state === 'valid') return this.lease.report(PERMILLE, PERMILLE);
      await (this.database.kind === 'embedded' ? this.buildEmbedded(state) : this.resume(state));
    }
  }

  private async resume(state: Exclude<IndexState, 'valid'>): Promise<void> {
    if (state === 'building') {
      await this.reportProgress();
      await delay(LOOK_MS);
      return;
    }
    const { id } = this.step;
    const sql = state === 'invalid' ? `drop index concurrently if exists ${id}` : createIndexSql(this.step, true);
    await this.inOwnSession(sql);
  }

  /** The engine has one session, so all others wait while it builds. */
  private async buildEmbedded(state: IndexState): Promise<void> {
    if (state === 'invalid') await this.dataSource.query(`drop index ${this.step.id}`);
    await this.lease.report(0, PERMILLE);
    await this.dataSource.query(createIndexSql(this.step, false));
  }

  /** Runs a statement past a pooler and without time limits, and reports meanwhile how far it is. */
  private async inOwnSession(sql: string): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.database.directUrl,
      application_name: 'signet upgrade',
      connectionTimeoutMillis: this.database.connectTimeoutMs,
      keepAlive: true,
    });
    // What breaks the connection fails the statement too.
    client.on('error', () => {});
    await client.connect();
    let isEnded = false;
    try {
      await client.query('set statement_timeout = 0');
      await client.query('set lock_timeout = 0');
      const statement = client.query(sql).finally(() => (isEnded = true));
      // The statement is awaited below; until then its failure must not end the process.
      statement.catch(() => {});
      while (!isEnded) {
        await Promise.race([statement.catch(() => {}), delay(LOOK_MS)]);
        if (!isEnded) await this.reportProgress();
      }
      await statement;
    } finally {
      // A statement that still runs, because this server stops or has lost the step, goes on by itself.
      await client.end().catch(() => {});
    }
  }

  private async reportProgress(): Promise<void> {
    const progress = await buildProgress(this.query, this.step.id);
    const note = progress && progress.waitsFor > 0 ? `${progress.phase}: process ${progress.waitsFor}` : '';
    await this.lease.report(progress?.permille ?? 0, PERMILLE, note);
  }

  private readonly query = (sql: string, values?: unknown[]): Promise<unknown[]> => this.dataSource.query(sql, values);
}
