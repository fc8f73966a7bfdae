import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createEmptyDatabase, startEmbeddedTestDatabase } from '../../support/database.js';
import { databaseSettings } from '../../support/engines.js';
import { loadEnvironment } from '../../../src/config/environment.js';
import { type OpenDatabase, openDatabase } from '../../../src/database/database.js';
import { readCompressed, type ReleaseEngine } from './release-data.js';

/** A database as a release left it. */
export interface RestoredDatabase {
  /** Where SQL gets to it beside the service; null for the embedded engine, which serves one process. */
  url: string | null;
  /** The embedded engine must be closed before it is opened again. */
  open(): Promise<OpenDatabase>;
  drop(): Promise<void>;
}

/** Not migrated. */
export function restoreRelease(version: string, engine: ReleaseEngine): Promise<RestoredDatabase> {
  return engine === 'postgres' ? restoreDump(version) : restoreFolder(version);
}

async function restoreDump(version: string): Promise<RestoredDatabase> {
  const { url, drop } = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readCompressed(version, 'postgres.sql.br').toString());
  } finally {
    await client.end();
  }
  return { url, open: () => openDatabase(loadEnvironment(databaseSettings(url))), drop };
}

async function restoreFolder(version: string): Promise<RestoredDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-release-'));
  const input = readCompressed(version, 'embedded.tar.br');
  execFileSync('tar', ['-x', '-C', folder], { input });
  return {
    url: null,
    open: () => startEmbeddedTestDatabase(folder, { copy: false }),
    drop: () => rm(folder, { recursive: true }),
  };
}
