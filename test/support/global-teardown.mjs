import { rmSync } from 'node:fs';
import pg from 'pg';
import { endOfWorker } from './of-worker.mjs';

/** @typedef {{ testFolder?: string, testPostgres?: import('./postgres.mjs').TestPostgres }} Started */

/**
 * After all tests: removes the template, which matters only on a server that is not ours, stops ours, and removes the
 * folder for temporary files.
 */
export default async function tearDown() {
  // Of tests that ran in this process.
  await endOfWorker();
  const { testPostgres: server, testFolder } = /** @type {Started} */ (/** @type {unknown} */ (globalThis));
  if (!server || !testFolder) return;
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    await client.query(`drop database if exists ${process.env.TEST_TEMPLATE} with (force)`);
  } finally {
    await client.end().catch(() => {});
    await server.stop();
    rmSync(testFolder, { recursive: true, force: true });
  }
}
