import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from './postgres.mjs';

const root = new URL('../../', import.meta.url);

/**
 * Before all tests: builds what is stale, starts one real PostgreSQL (or takes TEST_DATABASE_URL) and migrates one template database with the
 * built code. Test files clone the template; see database.ts.
 */
export default async function setUp() {
  const build = spawnSync(process.execPath, [fileURLToPath(new URL('scripts/ensure-built.mjs', root))], {
    stdio: 'inherit',
  });
  if (build.status !== 0) throw new Error('The build failed, so nothing can be tested.');

  const server = await startPostgres();
  globalThis.testPostgres = server;
  try {
    const template = `signet_template_${randomBytes(6).toString('hex')}`;
    await createDatabase(server.url, template);
    const templateUrl = new URL(server.url);
    templateUrl.pathname = `/${template}`;
    const { migrate } = await import(new URL('dist/src/database/migrator.js', root).href);
    await migrate(templateUrl.href);
    // The workers of jest inherit these.
    process.env.TEST_SERVER_URL = server.url;
    process.env.TEST_TEMPLATE = template;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function createDatabase(url, name) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}
