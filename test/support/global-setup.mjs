import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { embeddedTemplates } from './embedded-templates.mjs';
import { startPostgres } from './postgres.mjs';

const root = new URL('../../', import.meta.url);

/** @import { Started } from './global-teardown.mjs' */

/** What the end of the tests gets from their beginning. */
const shared = /** @type {Started} */ (/** @type {unknown} */ (globalThis));

/**
 * Before all tests: builds what is stale, meanwhile starts one real PostgreSQL (or takes TEST_DATABASE_URL), and
 * migrates one template database with the built code. Test files clone the template; see database.ts.
 */
export default async function setUp() {
  const build = spawn(process.execPath, [fileURLToPath(new URL('scripts/ensure-built.mjs', root))], {
    stdio: 'inherit',
  });
  const built = once(build, 'close');
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'signet-tests-'));
  // PostgreSQL may run as somebody else below it.
  chmodSync(temporary, 0o755);
  shared.testFolder = temporary;
  // For the workers and what they start, too. What a process that is killed leaves behind goes with it in the end.
  process.env.TMPDIR = temporary;
  const server = await startPostgres({ parent: folderInMemory() ?? temporary }).catch((error) => {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  });
  shared.testPostgres = server;
  try {
    const [status] = await built;
    if (status !== 0) throw new Error('The build failed, so nothing can be tested.');
    const template = `signet_template_${randomBytes(6).toString('hex')}`;
    await createDatabase(server.url, template);
    const templateUrl = new URL(server.url);
    templateUrl.pathname = `/${template}`;
    const { migrate } = await import(new URL('dist/src/database/schema/migrator.js', root).href);
    const [{ fresh, migrated }] = await Promise.all([embeddedTemplates(), migrate(templateUrl.href)]);
    // The workers of jest inherit these.
    process.env.TEST_SERVER_URL = server.url;
    process.env.TEST_TEMPLATE = template;
    process.env.TEST_EMBEDDED_TEMPLATE = fresh;
    process.env.TEST_EMBEDDED_MIGRATED = migrated;
  } catch (error) {
    await server.stop();
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

const IN_MEMORY = '/dev/shm';
/** What the databases of all test files have at once, some times over. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Where files are kept in memory, if this machine has room there. Each database is a copy of 300 files, for which disks
 * take five to thirty times the processor time. The large data of `test:long` stay on the disk.
 * @returns {string | null}
 */
function folderInMemory() {
  if (process.env.TEST_TIER === 'long') return null;
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES ? IN_MEMORY : null;
  } catch {
    return null;
  }
}

/** @param {string} url @param {string} name */
async function createDatabase(url, name) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}
