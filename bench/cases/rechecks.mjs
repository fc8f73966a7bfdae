/**
 * BENCH_DUE_PROOFS (100,000) rechecks that are all due, by the service as it is shipped, against a stand-in for GitHub
 * on loopback without rate limits. So this is the most that one server can do; the budget of a real platform is far
 * below.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.mjs';
import { built } from '../../scripts/built.mjs';
import { onDatabase } from '../database.mjs';
import { seedDueProofs } from '../due-proofs.mjs';
import { milliseconds, number } from '../report.mjs';
import { startService, usage } from '../servers.mjs';
import { startWorker } from '../workers.mjs';

/** @import { Progress, Stage } from '../types.d.ts' */

const DUE = Number(process.env.BENCH_DUE_PROOFS || 100_000);
/** @typedef {{ done: number, valid: number, cpu: number, mib: number }} RecheckSample */

const DATABASE = 'signet_bench_rechecks';
const SAMPLE_MS = 1000;
const PATIENCE_MS = 60_000;
/**
 * Growth of memory that still counts as flat. Means of two quarters are compared, because garbage collection is not
 * regular. The heap reaches its size in the first quarter.
 */
const MOST_GROWTH = 1.15;

const COUNT = "select count(*)::int as done, count(*) filter (where outcome = 'valid')::int as valid from proof_check";
const RATE = 'select count(*) / extract(epoch from max(checked_at) - min(checked_at))::float8 as rate from proof_check';

/** @param {Stage} _stage @param {Progress} progress */
async function run(_stage, progress) {
  const server = await startPostgres();
  const url = new URL(`/${DATABASE}`, server.url).href;
  const dropped = () => onDatabase(server.url, `drop database if exists ${DATABASE} with (force)`);
  try {
    await dropped();
    await onDatabase(server.url, `create database ${DATABASE}`);
    await (await built('database/schema/migrator.js')).migrate(url);
    progress(`seeding ${number(DUE)} due proofs`);
    await fill(url);
    return await recheckAll(url, progress);
  } finally {
    await dropped();
    await server.stop();
  }
}

/** @param {string} url */
async function fill(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await seedDueProofs(client, DUE).finally(() => client.end());
}

/** @param {string} url @param {Progress} progress */
async function recheckAll(url, progress) {
  const github = await startWorker('gists.mjs');
  const { port } = await github.ask('port');
  const service = await startService({
    DATABASE_URL: url,
    REVALIDATION: 'on',
    GITHUB_API_BASE: `http://127.0.0.1:${port}`,
    GITHUB_TOKEN: 'any',
    RATE_BUDGETS: 'github=1000000/1',
  });
  try {
    const samples = await samplesUntilDone(url, service.pid, progress);
    const [{ rate }] = await onDatabase(url, RATE);
    const { requests } = await github.ask('requests');
    return report(samples, rate, requests);
  } finally {
    await service.stop();
    github.stop();
  }
}

/**
 * Samples memory and progress once a second.
 * @param {string} url
 * @param {number} pid
 * @param {Progress} progress
 * @throws Error if there is no progress
 */
async function samplesUntilDone(url, pid, progress) {
  /** @type {RecheckSample[]} */
  const samples = [];
  let movedAt = performance.now();
  for (let done = 0; done < DUE;) {
    await delay(SAMPLE_MS);
    const [seen] = await onDatabase(url, COUNT);
    if (seen.done > done) movedAt = performance.now();
    else if (performance.now() - movedAt > PATIENCE_MS) throw new Error(`Rechecks stopped after ${done}.`);
    done = seen.done;
    samples.push({ ...seen, ...usage(pid) });
    progress(`${number(done)} of ${number(DUE)}`);
  }
  return samples;
}

/** @param {RecheckSample[]} samples @param {number} rate @param {number} requests */
function report(samples, rate, requests) {
  const quarters = [0, 1, 2, 3].map((quarter) => meanMemory(samples, quarter));
  const { valid, cpu } = samples[samples.length - 1];
  const most = Math.max(...samples.map(({ mib }) => mib));
  const growth = quarters[3] / quarters[1];
  return {
    notes: [
      `${number(DUE)} due proofs, ${number(valid)} found valid: ${number(rate)} checks/s, with ${number(requests)} requests.`,
      `CPU of the server: ${milliseconds((1000 * cpu) / DUE)} ms for each check, start included.`,
      `Memory of the server in each quarter ${quarters.map(number).join(', ')} MiB on average; never above ${number(most)} MiB.`,
    ],
    rate,
    memory: { quarters, most },
    verdict: {
      text: 'all checked, and memory flat from the second quarter to the last',
      met: valid === DUE && growth < MOST_GROWTH,
      seen: `${number(valid)} of ${number(DUE)}, memory times ${growth.toFixed(2)}`,
    },
  };
}

/**
 * MiB, on average over the samples in a quarter of the work.
 * @param {RecheckSample[]} samples
 * @param {number} quarter
 */
function meanMemory(samples, quarter) {
  const own = samples.filter(({ done }) => Math.min(3, Math.floor((4 * done) / DUE)) === quarter);
  return own.reduce((sum, { mib }) => sum + mib, 0) / own.length;
}

export const RECHECKS = { name: 'rechecks', title: 'rechecks that are all due', run };
