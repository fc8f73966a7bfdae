/**
 * The upgrade of a large database of 0.1.0: `npm run bench:upgrade [-- --database URL [--in-place]] [--steps-only]`.
 *
 * Without a URL, BENCH_PROOFS (100000) proofs are seeded at the schema of 0.1.0, in a PostgreSQL of its own. A database
 * that is named must have that schema; it is copied on its server (`create database ... template`), unless
 * `--in-place` says that it may be changed. Clients write all the time, as servers of 0.1.0 do, while a server of this
 * version is started, migrates, and does the long work. See docs/benchmarks.md, "Upgrade".
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.mjs';
import { ensureBuilt } from './build.mjs';
import { built } from '../scripts/built.mjs';
import { progressTo } from './report.mjs';

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, 'in-place': { type: 'boolean' }, 'steps-only': { type: 'boolean' } },
});
ensureBuilt();
const { MIGRATIONS } = await built('database/schema/migrations/index.js');
const { migrate } = await built('database/schema/migrator.js');
const { onDatabase } = await import('./database.mjs');
const { seed } = await import('./seed.mjs');
const { SECRET } = await import('./cases/writes.mjs');
const { startService } = await import('./servers.mjs');
const { PauseMeter, writeByHttp, writeAsBefore } = await import('./upgrade-writers.mjs');

/** The migrations of 0.1.0. */
const RELEASED = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name.startsWith('RateLimits')) + 1);
const LONGEST_PAUSE_MS = 2000;
/** Writes before the upgrade begins, for comparison. */
const BEFORE_MS = 5000;
const LOOK_MS = 500;

/** @typedef {'before' | 'migrations' | 'steps' | 'log'} Phase */

const progress = progressTo(process.stderr);
const GIB = 2 ** 30;
const proofs = Number(process.env.BENCH_PROOFS || 100_000);

const { database = '' } = options;
const server = database !== '' ? null : await startPostgres({ durable: process.env.BENCH_FSYNC !== 'off' });
/** @type {[serverUrl: string, name: string][]} */
const made = [];
try {
  const url = await prepare();
  await run(url);
} finally {
  for (const [serverUrl, name] of made) await onDatabase(serverUrl, `drop database if exists ${name} with (force)`);
  await server?.stop();
}

/** The database to upgrade. */
async function prepare() {
  if (server) {
    const name = `signet_upgrade_${proofs}`;
    await onDatabase(server.url, `create database ${name}`);
    const url = at(server.url, name);
    await migrate(url, RELEASED);
    const client = new pg.Client(url);
    await client.connect();
    await seed(client, proofs, (done, total) => progress(`seeding: ${done} of ${total} proofs`));
    await client.end();
    return url;
  }
  const names = await onDatabase(database, 'select name from migrations');
  if (names.length !== RELEASED.length) {
    throw new Error(
      `The database has ${names.length} migrations and 0.1.0 has ${RELEASED.length}: it is of another version.`,
    );
  }
  if (options['in-place']) return database;
  const original = new URL(database).pathname.slice(1);
  const name = `${original}_upgrade`;
  const serverUrl = at(database, 'postgres');
  progress(`copying ${original}`);
  await onDatabase(serverUrl, `drop database if exists ${name} with (force)`);
  await onDatabase(serverUrl, `create database ${name} template ${original}`);
  made.push([serverUrl, name]);
  return at(database, name);
}

/** @param {string} url */
async function run(url) {
  const client = new pg.Client(url);
  await client.connect();
  /** @param {string} text */
  const sql = async (text) => (await client.query(text)).rows[0];
  const sizeOf = async () => Number((await sql('select pg_database_size(current_database()) as bytes')).bytes);
  const rows = await sql(`select (select count(*) from chain_link) as links, (select count(*) from proof) as proofs,
    (select count(*) from kv_patch) as patches`);
  const before = await sizeOf();
  const wal = (await sql('select pg_current_wal_lsn() as at')).at;
  console.log(
    `\n${rows.proofs} proofs, ${rows.links} links and ${rows.patches} patches of 0.1.0; ${gib(before)} with indexes.`,
  );

  const meters = {
    before: new PauseMeter(),
    migrations: new PauseMeter(),
    steps: new PauseMeter(),
    log: new PauseMeter(),
  };
  let phase = /** @type {Phase} */ ('before');
  let service;
  const stopOld = await writeAsBefore(url, () => meters[phase]);
  try {
    await delay(BEFORE_MS);
    const startedAt = performance.now();
    /** @type {Record<string, number>} */
    const took = {};
    /** @param {Phase} next */
    const enter = (next) => {
      meters[phase].end();
      took[phase] = performance.now();
      phase = next;
      meters[next].begin();
    };
    enter('migrations');
    service = await startService({ DATABASE_URL: url, PAYLOAD_SECRET: SECRET, LOG_LEVEL: 'warn' });
    enter('steps');
    const stopNew = await writeByHttp(service.port, () => meters[phase]);
    let peak = before;
    for (let isDone = false; !isDone; await delay(LOOK_MS)) {
      const ready = await fetch(`http://127.0.0.1:${service.port}/readyz`);
      const { upgrade, log } = /** @type {any} */ (await ready.json());
      // On a busy machine the database may once not answer in time.
      if (!ready.ok) continue;
      if (phase === 'steps' && !upgrade) enter('log');
      isDone = phase === 'log' && (options['steps-only'] || log.state === 'ok');
      peak = Math.max(peak, await sizeOf());
      const step = upgrade?.steps[0];
      progress(step ? `${step.id}: ${percent(step.progress)}` : `log: ${percent(log.progress ?? 1)}`);
    }
    await stopNew();
    await stopOld();
    meters[phase].end();
    const endedAt = performance.now();
    progress('');
    const after = await sizeOf();
    const { bytes: written } = await sql(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '${wal}') as bytes`);
    const seconds = {
      before: BEFORE_MS / 1000,
      migrations: (took.migrations - startedAt) / 1000,
      steps: (took.steps - took.migrations) / 1000,
      log: (endedAt - took.steps) / 1000,
    };
    print(meters, seconds);
    console.log(
      `\nThe database grew from ${gib(before)} to ${gib(after)}, at most ${gib(peak)}; ${gib(written)} of write-ahead log.`,
    );
    const longest = Math.max(
      ...[meters.migrations, meters.steps, meters.log].map(({ longestPauseMs }) => longestPauseMs),
    );
    const isMet = longest <= LONGEST_PAUSE_MS;
    console.log(
      `Longest pause of writes: ${Math.round(longest)} ms; target ${LONGEST_PAUSE_MS} ms: ${isMet ? 'met' : 'NOT met'}.`,
    );
    if (!isMet) process.exitCode = 1;
  } finally {
    await stopOld();
    await service?.stop();
    await client.end();
  }
}

/** @param {Record<Phase, InstanceType<typeof PauseMeter>>} meters @param {Record<Phase, number>} seconds */
function print(meters, seconds) {
  console.log('\n| phase | seconds | writes | errors | p50 ms | p99 ms | slowest ms | longest pause ms |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const name of /** @type {Phase[]} */ (Object.keys(meters))) {
    const meter = meters[name];
    const { count, errors, p50, p99, slowest, longestPauseMs } = meter.result();
    const cells = [name, seconds[name].toFixed(1), count, errors, p50, p99, slowest, Math.round(longestPauseMs)];
    console.log(`| ${cells.join(' | ')} |`);
    if (meter.firstError) console.log(`  first error: ${meter.firstError}`);
  }
}

/** @param {string} url @param {string} name */
function at(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** @param {string | number} bytes */
function gib(bytes) {
  return `${(Number(bytes) / GIB).toFixed(2)} GiB`;
}

/** @param {number} part */
function percent(part) {
  return `${Math.floor(100 * part)} %`;
}
