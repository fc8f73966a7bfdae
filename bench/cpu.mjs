/**
 * Processor time of each request, of the service and of PostgreSQL: `npm run bench:cpu [-- NAME,NAME]`, beside the
 * built checkout BENCH_BESIDE of another version (and, of submits, beside LOG=off), by turns in many short rounds. The
 * time of a submit ends when the log has taken it in. On a machine that others use the processor time of a request
 * says what its rate cannot.
 *
 * BENCH_PROOFS (10000), CPU_ROUNDS (12), CPU_REQUESTS (1000) of each round, BENCH_CONNECTIONS (1,16,64), CPU_PROFILE: a
 * folder for CPU profiles. Both versions get a copy of the same database, so the other one has to know its schema.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';
import { onDatabase, openBenchDatabase, withPath } from './database.mjs';
import { median } from './measure.mjs';
import { progressTo } from './report.mjs';
import { httpText } from './requests.mjs';
import { startService } from './servers.mjs';
import { startWorker } from './workers.mjs';

/** @import { Service } from './types.d.ts' */

ensureBuilt();
// Only now: these load parts of the build.
const { MAP_READ, READS } = await import('./cases/reads.mjs');
const { SECRET, WRITES } = await import('./cases/writes.mjs');
const { BESIDE } = await import('./cases/run-beside.mjs');
const { withLogAtRest } = await import('./stage.mjs');

const PROOFS = Number(process.env.BENCH_PROOFS || 10_000);
const ROUNDS = Number(process.env.CPU_ROUNDS || 12);
const REQUESTS = Number(process.env.CPU_REQUESTS || 1000);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS || '1,16,64').split(',').map(Number);
const LONG_MS = 120_000;
const DEFAULT = 'exact-1,exists,by-key,chain-page,feed-page,kv-small,payload,submit-wallet,submit-kv';

const names = (process.argv.slice(2).at(-1) ?? DEFAULT).split(',');
const cases = [...READS, MAP_READ, ...WRITES].filter(({ name }) => names.includes(name));
const progress = progressTo(process.stderr);

/**
 * @typedef {Service & { name: string, url: string }} Server
 * @typedef {{ server: number, postgres: number, rate: number }} Sample microseconds of each request
 */

/** Nanoseconds that all threads of a process have run. @param {number} pid */
function ranNs(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    );
  } catch {
    return 0;
  }
}

/** The time of each connection to a database, by its process. @param {string} url */
async function connectionsOf(url) {
  const sql = 'select pid from pg_stat_activity where datname = $1';
  const rows = await onDatabase(withPath(url, 'postgres'), sql, [new URL(url).pathname.slice(1)]);
  return new Map(rows.map(({ pid }) => [pid, ranNs(pid)]));
}

/** @param {Server} server */
async function spent({ pid, url }) {
  return { server: ranNs(pid), connections: await connectionsOf(url) };
}

/** @param {Map<number, number>} before @param {Map<number, number>} after */
const grown = (before, after) => [...after].reduce((sum, [pid, ns]) => sum + ns - (before.get(pid) ?? 0), 0);

/** @param {Server} server @param {string[]} requests @param {number} connections @param {number} expect */
async function round(server, requests, connections, expect) {
  const before = await spent(server);
  const result = await load.ask({
    ...{ kind: 'http', port: server.port, requests, connections, ms: LONG_MS, once: true, expect },
  });
  if (result.errors > 0 || result.count < requests.length) throw new Error(`${server.name}: ${result.firstError}`);
  await withLogAtRest(server, () => {});
  const after = await spent(server);
  return {
    server: (after.server - before.server) / 1000 / requests.length,
    postgres: grown(before.connections, after.connections) / 1000 / requests.length,
    rate: result.count / result.seconds,
  };
}

const database = await openBenchDatabase(PROOFS, (done, total) => progress(`seeding: ${done} of ${total} proofs`));
const load = await startWorker('load.mjs');
/** @type {Server[]} */
const servers = [];

/** @param {string} name @param {string} [root] @param {Record<string, string>} [more] */
async function start(name, root, more = {}) {
  const label = name.replaceAll(/\W+/g, '_').toLowerCase();
  const copy = `signet_cpu_${label}`;
  await onDatabase(database.serverUrl, `drop database if exists ${copy} with (force)`);
  await onDatabase(database.serverUrl, `create database ${copy} template ${new URL(database.url).pathname.slice(1)}`);
  const url = withPath(database.serverUrl, copy);
  const flags = process.env.CPU_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.CPU_PROFILE}/${label}`] : [];
  const env = { DATABASE_URL: url, PAYLOAD_SECRET: SECRET, DATA_DIR: `.cache/cpu/${label}`, ...more };
  const service = { name, url, ...(await startService(env, flags, root)) };
  servers.push(service);
  await withLogAtRest(service, progress);
  await onDatabase(url, 'vacuum (analyze)');
}

try {
  await start('this');
  if (BESIDE) await start('beside', BESIDE);
  if (names.some((name) => name.startsWith('submit'))) await start('LOG=off', undefined, { LOG: 'off' });
  for (const one of cases) {
    const isSubmit = one.limit === 'submit';
    const asked = servers.filter(({ name }) => isSubmit || name !== 'LOG=off');
    /** @param {number} count */
    const textsOf = (count) => {
      if (one.limit === 'submit') return Array.from({ length: count }, () => httpText(one.fresh()));
      const requests = one.requests(PROOFS).map(httpText);
      return Array.from({ length: count }, (_, place) => requests[place % requests.length]);
    };
    for (const connections of CONNECTIONS) {
      const count = connections === 1 ? Math.ceil(REQUESTS / 4) : REQUESTS;
      const expect = one.limit === 'submit' ? (one.expect ?? 201) : 200;
      /** @type {Sample[][]} */
      const samples = asked.map(() => []);
      // The first round warms up.
      for (let turn = -1; turn < ROUNDS; turn++) {
        progress(`${one.name}, ${connections} connections, round ${turn + 1} of ${ROUNDS}`);
        for (const [index, server] of [...asked.entries()].sort(() => (turn % 2 ? 1 : -1))) {
          const sample = await round(server, textsOf(count), connections, expect);
          if (turn >= 0) samples[index].push(sample);
        }
      }
      progress('');
      const cells = asked.map(({ name }, index) => {
        /** @param {'server' | 'postgres' | 'rate'} member */
        const of = (member) => median(samples[index].map((sample) => sample[member]));
        const sum = median(samples[index].map(({ server, postgres }) => server + postgres));
        return `${name} ${of('server').toFixed(0)} + ${of('postgres').toFixed(0)} = ${sum.toFixed(0)} µs (${of('rate').toFixed(0)}/s)`;
      });
      console.log(`${one.name.padEnd(14)}${String(connections).padStart(3)}  ${cells.join(' | ')}`);
    }
  }
} finally {
  for (const server of servers) await server.stop();
  load.stop();
  await database.stop();
}
