/** Two databases with the same links: one for a service that logs them, and one for a service with LOG=off. */
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.mjs';
import { built } from './build.mjs';
import { onDatabase, serverOptions, withPath } from './database.mjs';
import { seedLinks } from './log-seed.mjs';

/** @returns {Promise<{ url: string, urlWithoutLog: string, stop(): Promise<void> }>} they go with the server */
export async function openLogDatabases(entries, progress) {
  const server = await startPostgres(serverOptions());
  try {
    const names = [`signet_bench_log_${entries}`, `signet_bench_no_log_${entries}`];
    const [url, urlWithoutLog] = names.map((name) => withPath(server.url, name));
    for (const name of names) await onDatabase(server.url, `drop database if exists ${name} with (force)`);
    await onDatabase(server.url, `create database ${names[0]}`);
    const { migrate } = await built('database/schema/migrator.js');
    await migrate(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('set session_replication_role = replica');
      await seedLinks(client, entries, (done, total) => progress(`seeding: ${done} of ${total} links`));
    } finally {
      await client.end();
    }
    await onDatabase(server.url, `create database ${names[1]} template ${names[0]}`);
    return { url, urlWithoutLog, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
