import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadEnvironment } from '../../src/config/environment.js';
import { openDatabase, type OpenDatabase } from '../../src/database/database.js';
import { isLongRun } from './tier.js';
import { copyMigratedCluster, createTestDatabase, startEmbeddedTestDatabase } from './database.js';

export type Engine = 'postgres' | 'embedded';

/** What tests run on that do not name an engine. `TEST_ENGINE=embedded npm test` runs them on the embedded database. */
export const DEFAULT_ENGINE: Engine = process.env.TEST_ENGINE === 'embedded' ? 'embedded' : 'postgres';

/** For `describe.each`: both engines, or the one that TEST_ENGINE names. */
export const ENGINES: Engine[] = process.env.TEST_ENGINE ? [DEFAULT_ENGINE] : ['postgres', 'embedded'];

/** For `describe.each` of a `.sized.spec.ts`: the embedded database has its turn in the long run alone. */
export const ENGINES_OF_TIER: Engine[] = isLongRun ? ENGINES : [DEFAULT_ENGINE];

export interface OpenTestDatabase {
  database: OpenDatabase;
  /** Ends and removes it; connections must be closed before. */
  drop(): Promise<void>;
}

/** What a busy machine is slow at is no failure, unless a test says so. */
export const PATIENT = {
  DATABASE_STATEMENT_TIMEOUT_MS: '300000',
  DATABASE_LOCK_TIMEOUT_MS: '300000',
  DATABASE_CONNECT_TIMEOUT_MS: '300000',
  DATABASE_WRITE_PATIENCE: '10',
  OUTBOUND_TIMEOUT_MS: '100000',
};

/**
 * The settings with which a service reaches the database at `url`: through the pooler at TEST_POOLER (`host:port`),
 * where there is one.
 */
export function databaseSettings(url: string): Record<string, string> {
  const pooler = process.env.TEST_POOLER;
  if (!pooler) return { DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.host = pooler;
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: url };
}

/** A migrated, empty database of its own, opened with the settings `env`. */
export async function openTestDatabase(engine: Engine, env: Record<string, string> = {}): Promise<OpenTestDatabase> {
  if (engine === 'postgres') {
    const { url, drop } = await createTestDatabase();
    return { database: await openDatabase(loadEnvironment({ ...PATIENT, ...env, ...databaseSettings(url) })), drop };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  await copyMigratedCluster(path.join(folder, 'data'));
  const database = await startEmbeddedTestDatabase(path.join(folder, 'data'));
  return {
    database,
    drop: async () => {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}
