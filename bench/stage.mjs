/**
 * Everything that cases need: the seeded database, the service, the plain servers, the load generator and the recorder,
 * started when asked for.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { onDatabase, openBenchDatabase } from './database.mjs';
import { startBareFastify, startService } from './servers.mjs';
import { startWorker } from './workers.mjs';
import { SECRET } from './cases/writes.mjs';

/**
 * @import { SeedProgress } from './seed.mjs'
 * @import { Progress } from './types.d.ts'
 */

const LOG_LOOK_MS = 200;
/** Entries between two lines about them. */
const LOG_PROGRESS = 10_000;

/**
 * @param {{ proofs: number, seconds: number, rounds: number }} settings
 * @param {{ profile: string | null, progress(text: string): void }} options profile: folder for CPU profiles of the
 *   service
 */
export async function openStage(settings, { profile, progress }) {
  /** @type {Map<string, Promise<any>>} */
  const tools = new Map();
  /** @template Tool @param {string} name @param {() => Promise<Tool>} start @returns {Promise<Tool>} */
  const once = (name, start) => {
    const tool = tools.get(name) ?? start();
    tools.set(name, tool);
    return tool;
  };
  /** @type {SeedProgress} */
  const seeding = (done, total) => progress(`seeding: ${done} of ${total} proofs`);
  const database = () => once('database', () => openBenchDatabase(settings.proofs, seeding));
  const env = async () => ({
    DATABASE_URL: (await database()).url,
    PAYLOAD_SECRET: SECRET,
    LOG: process.env.BENCH_LOG ?? 'on',
    ...workers(),
  });
  return {
    settings,
    /** Things that a case starts for itself and similar cases; stopped at the end by their `stop`. */
    once,
    nodeArguments: profileArguments(profile),
    database,
    seeding,
    env,
    /** @param {string} text @param {unknown[]} [values] */
    sql: async (text, values) => onDatabase((await database()).url, text, values),
    /** The service on the seeded database, for all cases. */
    service: () =>
      once('service', async () => withLogAtRest(await startService(await env(), profileArguments(profile)), progress)),
    /** Another one, with other settings; the caller stops it. */
    serviceWith: async (/** @type {Record<string, string>} */ more) =>
      withLogAtRest(await startService({ ...(await env()), ...more }), progress),
    /** Resolves when the log of a service is idle, so that no measurement pays for the one before. */
    atRest: (/** @type {{ port: number }} */ service) => withLogAtRest(service, progress),
    bareFastify: () => once('fastify', startBareFastify),
    load: () => once('load', () => startWorker('load.mjs')),
    recorder: () =>
      once('recorder', async () =>
        startWorker('recorder.mjs', {
          ...process.env,
          LOG_LEVEL: 'error',
          RATE_LIMIT: 'off',
          REVALIDATION: 'off',
          LOAD_SHEDDING: 'off',
          ...(await env()),
        }),
      ),
    close: async () => {
      // Databases were asked for before what uses them.
      const databases = [...tools].filter(([name]) => name.startsWith('database'));
      const users = [...tools].filter(([name]) => !name.startsWith('database'));
      for (const [, tool] of [...users, ...databases]) await tool.then((started) => started.stop()).catch(() => {});
    },
  };
}

/**
 * Waits until the log has taken in all seeded records at the first start, which would disturb the measurements.
 * @template {{ port: number }} Server
 * @param {Server} service
 * @param {Progress} progress
 */
export async function withLogAtRest(service, progress) {
  for (let last = Infinity; ; await delay(LOG_LOOK_MS)) {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/log`);
    if (answer.status === 404) return service;
    const { waiting, size } = /** @type {{ waiting: number, size: number }} */ (await answer.json());
    if (waiting === 0) return service;
    if (last === Infinity || last - waiting >= LOG_PROGRESS) {
      progress(`log: ${size} entries, ${waiting} wait`);
      last = waiting;
    }
  }
}

function workers() {
  return process.env.BENCH_WORKERS ? { WORKERS: process.env.BENCH_WORKERS } : {};
}

/** @param {string | null} folder */
function profileArguments(folder) {
  if (!folder) return [];
  mkdirSync(folder, { recursive: true });
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
