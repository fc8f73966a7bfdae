/** Databases with the same links: for a service that logs them, one with LOG=off, and one of another version. */
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.mjs';
import { ROOT } from './build.mjs';
import { built } from '../scripts/built.mjs';
import { onDatabase, serverOptions, withPath } from './database.mjs';
import { seedLinks } from './log-seed.mjs';

/** @import { Progress } from './types.d.ts' */

/**
 * The first two.
 * @param {number} entries
 * @param {Progress} progress
 * @returns {Promise<{ url: string, urlWithoutLog: string, serverUrl: string, stop(): Promise<void> }>} they go with the
 *   server
 */
export async function openLogDatabases(entries, progress) {
  const server = await startPostgres(serverOptions());
  try {
    const url = await createWithLinks(server.url, `signet_bench_log_${entries}`, entries, progress);
    const urlWithoutLog = await createDatabase(server.url, `signet_bench_no_log_${entries}`, `template ${nameOf(url)}`);
    return { url, urlWithoutLog, serverUrl: server.url, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * A new database with links that no log has taken in yet.
 * @param {string} [root] the checkout whose tables it has
 * @param {string} serverUrl
 * @param {string} name
 * @param {number} entries
 * @param {Progress} progress
 * @returns {Promise<string>} its URL
 */
export async function createWithLinks(serverUrl, name, entries, progress, root = ROOT) {
  const url = await createDatabase(serverUrl, name);
  const { migrate } = await built('database/schema/migrator.js', root);
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await seedLinks(client, entries, (done, total) => progress(`seeding: ${done} of ${total} links`));
  } finally {
    await client.end();
  }
  return url;
}

/** @param {string} serverUrl @param {string} name @param {string} [template] */
async function createDatabase(serverUrl, name, template = '') {
  await onDatabase(serverUrl, `drop database if exists ${name} with (force)`);
  await onDatabase(serverUrl, `create database ${name} ${template}`);
  return withPath(serverUrl, name);
}

/** @param {string} url */
const nameOf = (url) => new URL(url).pathname.slice(1);
