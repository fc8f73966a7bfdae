/** The database of the benchmark: a real PostgreSQL, migrated by the built code and seeded. */
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.mjs';
import { built } from '../scripts/built.mjs';
import { seed } from './seed.mjs';

/** @import { SeedProgress } from './seed.mjs' */

/**
 * Starts PostgreSQL as the tests do, or uses TEST_DATABASE_URL. A server that was started is removed with its data; on
 * a given server the seeded database is kept for the next run.
 * @param {number} proofs
 * @param {SeedProgress} progress
 * @returns {Promise<{ url: string, serverUrl: string, stop(): Promise<void> }>}
 */
export async function openBenchDatabase(proofs, progress) {
  const server = await startPostgres(serverOptions());
  try {
    const name = `signet_bench_${proofs}`;
    const url = withPath(server.url, name);
    const { migrate } = await built('database/schema/migrator.js');
    const exists = await onDatabase(server.url, 'select 1 from pg_database where datname = $1', [name]);
    if (exists.length === 0) await onDatabase(server.url, `create database ${name}`);
    await migrate(url);
    const [{ count }] = await onDatabase(url, 'select count(*)::int as count from proof_check');
    if (count === 0) await fill(url, proofs, progress);
    return { url, serverUrl: server.url, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Commits cost as much as on a production server, unless BENCH_FSYNC=off; BENCH_COMMIT_MS adds so many milliseconds to
 * each, as a slow disk or a synchronous standby does.
 */
export function serverOptions() {
  const { TEST_DATABASE_URL, BENCH_FSYNC, BENCH_COMMIT_MS = '0' } = process.env;
  const settings = { commit_delay: Math.round(Number(BENCH_COMMIT_MS) * 1000), commit_siblings: 0 };
  return TEST_DATABASE_URL ? {} : { durable: BENCH_FSYNC !== 'off', settings };
}

/** @param {string} url @param {number} proofs @param {SeedProgress} progress */
async function fill(url, proofs, progress) {
  await onDatabase(
    url,
    'truncate proof, proof_check, proof_search, proof_search_left, chain_link, kv_patch, kv_entry cascade',
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await seed(client, proofs, progress);
  } finally {
    await client.end();
  }
}

/** @param {string} url @param {string} name */
export function withPath(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * One statement on a connection of its own.
 * @param {string} url
 * @param {string} text
 * @param {unknown[]} [values]
 */
export async function onDatabase(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
