import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { withTimeout } from '../concurrency/with-timeout.js';
import type { OpenDatabase } from '../database/database.js';
import { DatabaseClient } from '../database/connections/database-client.js';
import { buildProgress, indexState } from '../database/schema/index-builds.js';
import { createIndexSql, type IndexStep } from '../database/schema/upgrade-steps.js';
import type { StepLease } from './step-lease.js';

/** How often the progress is looked at, and the lease renewed. */
const LOOK_MS = 1000;
const PERMILLE = 1000;

/**
 * Builds an index while others write. The statement runs in a session of its own, outside of transactions. That session
 * continues if this process dies, and the server that takes up the step waits for it. An unfinished index of a session
 * that has ended is removed first.
 * @throws LeaseLostError, StepStoppedError, the driver's error
 */
export async function buildIndex(
  dataSource: DataSource,
  database: OpenDatabase,
  step: IndexStep,
  lease: StepLease,
): Promise<void> {
  const reportProgress = async (): Promise<void> => {
    const progress = await buildProgress(dataSource, step.id);
    const note = progress && progress.waitsFor > 0 ? `${progress.phase}: process ${progress.waitsFor}` : '';
    await lease.report(progress?.permille ?? 0, PERMILLE, note);
  };
  for (;;) {
    const state = await indexState(dataSource, step.id);
    if (state === 'valid') return lease.report(PERMILLE, PERMILLE);
    if (database.kind === 'embedded') {
      // The engine has one session, so all others wait while it builds.
      if (state === 'invalid') await dataSource.query(`drop index ${step.id}`);
      await lease.report(0, PERMILLE);
      await dataSource.query(createIndexSql(step, false));
    } else if (state === 'building') {
      await reportProgress();
      await delay(LOOK_MS);
    } else {
      const remove = `drop index concurrently if exists ${step.id}`;
      await inOwnSession(database, state === 'invalid' ? remove : createIndexSql(step, true), reportProgress);
    }
  }
}

/** Runs a statement past a pooler and without time limits, and reports meanwhile how far it is. */
async function inOwnSession(
  { directUrl, connectTimeoutMs }: OpenDatabase,
  sql: string,
  reportProgress: () => Promise<void>,
): Promise<void> {
  const client = new DatabaseClient({
    connectionString: directUrl,
    application_name: 'signet upgrade',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    const statement = client.query(sql).then(() => true);
    while (!(await withTimeout(statement, LOOK_MS, () => false))) await reportProgress();
  } finally {
    // A statement that still runs, because this server stops or has lost the step, goes on by itself.
    await client.end().catch(() => {});
  }
}
