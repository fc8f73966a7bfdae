import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { loadEnvironment } from '../../src/config/environment.js';
import { openDatabase, type OpenDatabase } from '../../src/database/database.js';

export interface TestDatabase {
  /** A database of its own on the real PostgreSQL, migrated and empty. */
  url: string;
  drop(): Promise<void>;
}

const OBJECT_IN_USE = '55006'; // somebody is connected to the template at this moment
const CLONE_TRIES = 50;

/** Clones the template that the global set-up migrated; takes some tens of milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env.TEST_TEMPLATE;
  // Copies files instead of writing each page to the WAL: half the time.
  return createDatabase(`template ${template} strategy file_copy`);
}

/** A database without any table, for tests of the migrations themselves; `options` as of `create database`. */
export async function createEmptyDatabase(options = ''): Promise<TestDatabase> {
  return createDatabase(options);
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `signet_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name} ${options}`);
  return { url: testServerUrl(name), drop: () => onServer(`drop database if exists ${name} with (force)`) };
}

/** The server that the global set-up started, or the one of TEST_DATABASE_URL, with `database` as the path. */
function testServerUrl(database: string): string {
  const server = process.env.TEST_SERVER_URL;
  if (!server) throw new Error('There is no test server: run this with the global set-up of jest.config.mjs.');
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_SERVER_URL });
  await client.connect();
  try {
    for (let triesLeft = CLONE_TRIES; ; triesLeft--) {
      try {
        await client.query(sql);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== OBJECT_IN_USE || triesLeft === 0) throw error;
        await delay(100);
      }
    }
  } finally {
    await client.end();
  }
}

/**
 * DATA_DIR of servers on PostgreSQL, which keep there what they have seen of the log; it goes with the test run. The
 * files are named after the log, so servers of different databases do not meet.
 */
export const TEST_DATA_DIR = path.join(tmpdir(), 'log-heads');

/** The worker as the build made it, because Node does not run TypeScript in a thread. */
const BUILT_WORKER = new URL('../../dist/src/database/embedded/embedded-database.worker.js', import.meta.url);

/**
 * The embedded engine on `dataDir`, opened by the sources; not migrated. A crash ends the test run. Making a cluster
 * takes seconds, so a new folder starts as a copy of the one that the global set-up keeps, unless `copy` is false.
 */
export async function startEmbeddedTestDatabase(dataDir: string, { copy = true } = {}): Promise<OpenDatabase> {
  const template = process.env.TEST_EMBEDDED_TEMPLATE;
  const storeDir = path.join(dataDir, 'pglite');
  if (copy && template && !existsSync(storeDir)) await cp(template, storeDir, { recursive: true });
  return openDatabase(loadEnvironment({ DATA_DIR: dataDir }), { workerUrl: BUILT_WORKER });
}

/** Puts an embedded cluster with all tables, and nothing in them, into `dataDir`, which has none. */
export async function copyMigratedCluster(dataDir: string): Promise<void> {
  await cp(process.env.TEST_EMBEDDED_MIGRATED!, path.join(dataDir, 'pglite'), { recursive: true });
}
