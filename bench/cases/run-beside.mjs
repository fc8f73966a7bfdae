/**
 * Measures a case beside another version of Signet, a built checkout that BENCH_BESIDE names: by turns, each on a
 * database of its own that its own benchmark has seeded with the same proofs.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { measure } from '../measure.mjs';
import { percent } from '../report.mjs';
import { httpText } from '../requests.mjs';
import { startService } from '../servers.mjs';
import { amount, fresh } from './run-write.mjs';

/** @import { Load, PayloadCase, Progress, ReadCase, Service, Stage, SubmitCase } from '../types.d.ts' */

/** The other checkout, with a slash at the end; null where none is named. */
export const BESIDE = process.env.BENCH_BESIDE ? path.join(path.resolve(process.env.BENCH_BESIDE), path.sep) : null;

/** The least share of the rate of the other version: a shared machine moves the ratio of one run by so much. */
export const LEAST_SHARE = 0.9;

/** Milliseconds in which the code of a new process is compiled. */
const WARM_UP_MS = 3000;

/**
 * A lookup or a payload.
 * @param {ReadCase | PayloadCase} one
 * @param {Stage} stage
 * @param {Progress} progress
 */
export async function runRequestsBeside(one, stage, progress) {
  const requests = one.requests(stage.settings.proofs).map(httpText);
  return measureBoth(
    stage,
    progress,
    (load, port) => (connections, ms) => load.ask({ kind: 'http', port, requests, connections, ms }),
  );
}

/**
 * A submit, each of which is sent once.
 * @param {SubmitCase} one
 * @param {Stage} stage
 * @param {Progress} progress
 */
export async function runSubmitsBeside(one, stage, progress) {
  return measureBoth(stage, progress, (load, port, atRest) => async (connections, ms) => {
    progress(`${connections} connections, signing`);
    const requests = fresh(one, amount(one, ms)).map(httpText);
    await atRest();
    return load.ask({ kind: 'http', port, requests, connections, ms, once: true, expect: one.expect });
  });
}

/**
 * The other version on a database of its own, for all cases.
 * @param {Stage} stage
 * @returns {Promise<Service>}
 */
export function otherService(stage) {
  return stage.once('other', async () => {
    const database = await otherDatabase(stage);
    const service = await startService({ ...(await stage.env()), DATABASE_URL: database.url }, [], BESIDE ?? undefined);
    await stage.atRest(service);
    return service;
  });
}

/**
 * The database of the other version, which outlives its services.
 * @param {Stage} stage
 * @returns {Promise<{ url: string }>}
 */
export function otherDatabase(stage) {
  return stage.once('database of the other', async () => {
    const { openBenchDatabase } = await import(pathToFileURL(`${BESIDE}bench/database.mjs`).href);
    return openBenchDatabase(stage.settings.proofs, stage.seeding);
  });
}

/**
 * @param {Stage} stage
 * @param {Progress} progress
 * @param {(load: Awaited<ReturnType<Stage['load']>>, port: number, atRest: () => Promise<void>) => Load} asking
 */
async function measureBoth(stage, progress, asking) {
  const [service, other, load] = [await stage.service(), await otherService(stage), await stage.load()];
  const atRest = async () => {
    for (const one of [service, other]) await stage.atRest(one);
  };
  const [ask, askOther] = [service, other].map(({ port }) => asking(load, port, atRest));
  for (const warm of [ask, askOther]) await warm(1, WARM_UP_MS);
  const rows = await measure(ask, askOther, { ...stage.settings, pid: service.pid, progress });
  return {
    rows,
    notes: ['Here the limit is the other version.'],
    verdict: verdictBeside(rows.map(({ ratio = 0 }) => ratio)),
  };
}

/** @param {number[]} shares of what the other version has: of its rate, or the inverse of its time or memory */
export function verdictBeside(shares) {
  return {
    text: `at least ${percent(LEAST_SHARE)} of the other version`,
    met: shares.every((share) => share >= LEAST_SHARE),
    seen: shares.map(percent).join(', '),
  };
}
