import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, startEmbeddedTestDatabase, TEST_DATA_DIR } from '../../support/database.js';
import { databaseSettings } from '../../support/engines.js';
import { QUICK_START } from '../../support/tier.js';
import { loadEnvironment } from '../../../src/config/environment.js';
import { type OpenDatabase, openDatabase } from '../../../src/database/database.js';
import { readCompressed, type ReleaseEngine } from './release-data.js';

const LOG_PROGRAM = fileURLToPath(new URL('../../../scripts/log.mjs', import.meta.url));

/** Before the signatures of a note: the empty line that the dump of 0.2.0 lacks, because all empty lines were cut. */
const CUT_NOTE = /(?<=\n[A-Za-z0-9+/]{43}=)\n(?=— )/g;

/** A database as a release left it. */
export interface RestoredDatabase {
  /** Where SQL gets to it beside the service; null for the embedded engine, which serves one process. */
  url: string | null;
  /** The embedded engine must be closed before it is opened again. */
  open(): Promise<OpenDatabase>;
  /** DATA_DIR of servers on it, in which they keep what they have seen of the log. */
  dataDir: string;
  /**
   * `npm run log -- <words>`, over an embedded database that is closed; what it says.
   * @throws Error unless it ends with 0
   */
  runLog(...words: string[]): string;
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
    await client.query(readCompressed(version, 'postgres.sql.br').toString().replaceAll(CUT_NOTE, '\n\n'));
  } finally {
    await client.end();
  }
  return {
    url,
    open: () => openDatabase(loadEnvironment(databaseSettings(url))),
    dataDir: TEST_DATA_DIR,
    runLog: (...words) => runLog({ ...databaseSettings(url), DATA_DIR: TEST_DATA_DIR }, words),
    drop,
  };
}

async function restoreFolder(version: string): Promise<RestoredDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-release-'));
  const input = readCompressed(version, 'embedded.tar.br');
  execFileSync('tar', ['-x', '-C', folder], { input });
  return {
    url: null,
    open: () => startEmbeddedTestDatabase(folder, { copy: false }),
    dataDir: folder,
    runLog: (...words) => runLog({ DATA_DIR: folder }, words),
    drop: () => rm(folder, { recursive: true }),
  };
}

function runLog(settings: Record<string, string>, words: string[]): string {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings };
  return execFileSync(process.execPath, [...QUICK_START, LOG_PROGRAM, ...words], { env, encoding: 'utf8' });
}
