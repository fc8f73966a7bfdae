import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type EntityManager, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { ADVISORY_LOCKS } from '../advisory-locks.js';
import { migrationOptions } from '../data-source.js';
import { assertNotMoved } from './moved.js';
import { MIGRATIONS } from './migrations/index.js';
import type { SqlSource } from '../sql-source.js';
import { longestTransactions } from './open-transactions.js';
import { isTooSlow } from '../pg-errors.js';
import { assertVersionFits, noteVersion } from './schema-version.js';
import { doSmallStep, stepsToDo } from './small-steps.js';

/**
 * Milliseconds that a migration waits for a table. Writers to the table queue after it, so a long reader can stop them
 * for this time at most.
 */
const LOCK_TIMEOUT_MS = 1000;
/** Before it tries again; doubled after each. Those who waited behind it write meanwhile. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Milliseconds after which PostgreSQL ends a migration whose server sends nothing more: it is stopped, or its host is
 * gone. Others wait for the locks of the migration until then. A server that goes on later tries again.
 */
const IDLE_MS = 5000;

/** Bytes of a table up to which its long work is done at the start: it takes a fraction of a second. */
const SMALL_BYTES = 4 << 20;

export interface MigrateOptions {
  lockTimeoutMs?: number;
  firstPauseMs?: number;
  /** Bytes of a table up to which its upgrade steps are done now; those of larger ones are left to the servers. */
  smallBytes?: number;
  /** Receives one sentence for each wait: what the migration waits for. */
  log?: (message: string) => void;
  /** What is looked at before anything is changed; by default whether the database was moved elsewhere. */
  look?: (source: SqlSource) => Promise<void>;
}

/**
 * Brings the schema of the database at `url` up to date and answers with the names of the migrations that were applied
 * now. Several servers may do this at once: each migration is a transaction that also holds the lock they queue at, so
 * it works through a transaction pooler and on the one connection of the embedded engine, and a server that dies leaves
 * neither a lock nor half a migration. Migrations change the catalogue and small tables only; work that is long on a
 * large table is an upgrade step, which is done here on small tables, and otherwise by the servers while they serve.
 * @throws VersionTooOldError if a newer version has changed the database so that this one may not use it;
 *   DatabaseUnusableError if it was moved elsewhere; the driver's error if a migration fails for another reason than a
 *   lock that others hold
 */
export async function migrate(
  url: string,
  migrations: (new () => MigrationInterface)[] = MIGRATIONS,
  options: MigrateOptions = {},
): Promise<string[]> {
  const dataSource = await new DataSource(migrationOptions(url, migrations)).initialize();
  try {
    await assertVersionFits(dataSource);
    await (options.look ?? assertNotMoved)(dataSource);
    const applied: string[] = [];
    for (;;) {
      const name = await untilUnlocked(dataSource, options, (manager) => applyNext(dataSource, manager));
      if (name === null) break;
      applied.push(name);
    }
    await doSmallSteps(dataSource, options);
    return applied;
  } finally {
    await dataSource.destroy();
  }
}

/** Applies the oldest pending migration and answers with its name; null if there is none. */
async function applyNext(dataSource: DataSource, { queryRunner }: EntityManager): Promise<string | null> {
  const executor = new MigrationExecutor(dataSource, queryRunner);
  const [next] = await executor.getPendingMigrations();
  if (!next) return null;
  await executor.executeMigration(next);
  return next.name;
}

async function doSmallSteps(dataSource: DataSource, options: MigrateOptions): Promise<void> {
  const left = await stepsToDo(dataSource);
  if (left === null) return;
  // Whether there is anything to do is looked at first, without the lock: at most starts there is not.
  for (const step of left) {
    await untilUnlocked(dataSource, options, (manager) =>
      doSmallStep(manager, step, options.smallBytes ?? SMALL_BYTES),
    );
  }
  await noteVersion(dataSource);
}

/**
 * Runs `work` in a transaction under the lock of migrations, again and again while others hold what it needs.
 * @throws the driver's error if `work` fails otherwise, or if the session ended: `isServerAway`
 */
async function untilUnlocked<Result>(
  dataSource: DataSource,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, firstPauseMs = FIRST_PAUSE_MS, log = () => {} }: MigrateOptions,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await dataSource.transaction('READ COMMITTED', async (manager) => {
        await manager.query(opening(lockTimeoutMs));
        return work(manager);
      });
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      const others = await longestTransactions(dataSource);
      log(
        `The upgrade of the schema waits for a table that others use, and tries again in ${pauseMs / 1000} s. ${others}`,
      );
      // Not in step with other servers that start.
      await delay(pauseMs * (0.75 + Math.random() / 2));
    }
  }
}

/**
 * What a transaction begins with: its limits, and the lock of migrations. Only other migrations wait for that lock, so
 * it is waited for without a limit. One message, so that no server can stop between the lock and the limits.
 */
function opening(lockTimeoutMs: number): string {
  return [
    `set local idle_in_transaction_session_timeout = ${IDLE_MS}`,
    'set local statement_timeout = 0',
    'set local lock_timeout = 0',
    `select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`,
    `set local lock_timeout = ${lockTimeoutMs}`,
  ].join(';\n');
}
