/** The transparency log at size: BENCH_LOG_ENTRIES links, in databases of their own. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TILE_WIDTH, tilePath, tileWidth } from '@signet/verify/internal/log';
import { createWithLinks, openLogDatabases } from '../log-database.mjs';
import { measure, median } from '../measure.mjs';
import { milliseconds, number, percent } from '../report.mjs';
import { httpText } from '../requests.mjs';
import { startService, usage } from '../servers.mjs';
import { startWorker } from '../workers.mjs';
import { onDatabase } from '../database.mjs';
import { MAP_READ, READS } from './reads.mjs';
import { BESIDE } from './run-beside.mjs';
import { freshBinding, SECRET } from './writes.mjs';

/** @import { BenchRequest, Load, LoadResult, Progress, Service, Stage } from '../types.d.ts' */

const ENTRIES = Number(process.env.BENCH_LOG_ENTRIES || 50_000);
const BATCH = { links: 1000, rounds: 20 };
/** What the target is for. */
const SMALL_BATCH = { links: 200, rounds: 20 };
const SINGLE = { links: 1, rounds: 20 };
const HOLDERS = { few: 10, many: Number(process.env.BENCH_HOLDERS || 100_000) };
const AUDITORS = 8;
const SUBMITS_A_SECOND = 3000;
const LOOK_MS = 100;
/**
 * @typedef {{ ms: number, cpuMs: number, size: number }} Batch
 * @typedef {(batch: { links: number, rounds: number, holdersOf?: string }) => Promise<Batch[]>} AskForBatches
 * @typedef {Pick<Awaited<ReturnType<typeof openLog>>, 'databases' | 'intake'>} OpenLog
 */

const TARGETS = { batchMs: 100, proofMs: 5, submits: 0.95, map: 0.8, holders: 1.5 };

/**
 * The database with the log, another with the same links and no log, and a service on the first that has caught up.
 * @param {Stage} stage
 * @param {Progress} progress
 */
async function openLog(stage, progress) {
  return stage.once('log', async () => {
    const databases = await openLogDatabases(ENTRIES, progress);
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'signet-bench-'));
    const env = { PAYLOAD_SECRET: SECRET, DATA_DIR: dataDir };
    const stop = async () => {
      await databases.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    try {
      const service = await startService({ ...env, DATABASE_URL: databases.url }, stage.nodeArguments);
      const intake = await caughtUp(service, progress).catch(async (error) => {
        await service.stop();
        throw error;
      });
      return { env, service, intake, databases, stop: () => service.stop().then(stop) };
    } catch (error) {
      await stop();
      throw error;
    }
  });
}

/**
 * The time and memory for taking in the old links.
 * @param {Service} service
 * @param {Progress} progress
 */
async function caughtUp({ port, pid }, progress) {
  const started = performance.now();
  const before = usage(pid);
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/log`);
    const log = /** @type {{ state: string, problem: string, waiting: number, size: number }} */ (await answer.json());
    if (log.state === 'refused') throw new Error(log.problem);
    if (log.state === 'ok' && log.waiting === 0 && log.size >= ENTRIES) {
      const seconds = (performance.now() - started) / 1000;
      return { seconds, size: log.size, cpu: usage(pid).cpu - before.cpu, mib: usage(pid).mib };
    }
    progress(`taking in: ${log.waiting} wait`);
    await delay(LOOK_MS);
  }
}

/**
 * @template Result
 * @param {Stage} stage
 * @param {Progress} progress
 * @param {(ask: AskForBatches, log: OpenLog) => Promise<Result>} work
 */
async function withBatches(stage, progress, work) {
  const { databases, env, intake } = await openLog(stage, progress);
  const worker = await startWorker('log-batch.mjs', {
    ...process.env,
    ...env,
    DATABASE_URL: databases.url,
    LOG_LEVEL: 'error',
    REVALIDATION: 'off',
  });
  try {
    return await work(async (batch) => (await worker.ask(batch)).batches, { databases, intake });
  } finally {
    worker.stop();
  }
}

/** @param {Stage} stage @param {Progress} progress */
async function runBatch(stage, progress) {
  return withBatches(stage, progress, async (ask, { databases, intake }) => {
    progress('batches');
    const [batches, small] = [await ask(BATCH), await ask(SMALL_BATCH)];
    const times = msOf(small);
    const notes = [
      `At the first start ${number(intake.size)} links were taken in within ${intake.seconds.toFixed(1)} s (${number(intake.size / intake.seconds)} a second, ${intake.cpu.toFixed(1)} s of CPU, ${number(intake.mib)} MiB), in rounds of 1,000, with the map.`,
      `Then ${batches.length} batches of ${number(BATCH.links)} links, from the look at what waits to the checkpoint that is committed, with the map: median ${milliseconds(median(msOf(batches)))} ms, longest ${milliseconds(msOf(batches).at(-1) ?? 0)} ms; ${milliseconds(median(batches.map(({ cpuMs }) => cpuMs)))} ms of CPU of this process. ${small.length} batches of ${SMALL_BATCH.links}: median ${milliseconds(median(times))} ms, longest ${milliseconds(times.at(-1) ?? 0)} ms; ${milliseconds(median(small.map(({ cpuMs }) => cpuMs)))} ms of CPU.`,
      await mapSizes(databases.url),
    ];
    const seen = `${milliseconds(median(times))} ms in a tree of ${number(batches[0].size)} entries and more`;
    const text = `a batch of ${SMALL_BATCH.links} links under 100 ms`;
    return { notes, batches, small, verdict: { text, met: median(times) < TARGETS.batchMs, seen } };
  });
}

/** @param {Batch[]} batches */
const msOf = (batches) => batches.map(({ ms }) => ms).sort((one, other) => one - other);

/**
 * How much the map takes on disk, where each link has an Avatar and an identity of its own, without former states.
 * @param {string} url
 */
async function mapSizes(url) {
  await onDatabase(url, 'delete from map_tile where number in (select unnest(tiles) from map_past)');
  await onDatabase(url, 'vacuum full map_tile');
  const sql = `select count(*) as tiles, pg_table_size('map_tile') as rows, pg_indexes_size('map_tile') as index,
    (select count(*) from chain_link) as links from map_tile`;
  const [{ tiles, rows, index, links }] = await onDatabase(url, sql);
  return `The map of ${number(links)} links, each of an Avatar and an identity of its own, has ${number(tiles)} tiles and takes ${number((Number(rows) + Number(index)) / links)} bytes a link: its rows ${number(rows / links)}, their index ${number(index / links)}.`;
}

/**
 * The next link to an identity that many Avatars hold, beside that to one that few hold.
 * @param {Stage} stage
 * @param {Progress} progress
 */
async function runHolders(stage, progress) {
  return withBatches(stage, progress, async (ask) => {
    for (const [holdersOf, count] of Object.entries(HOLDERS)) {
      progress(`${number(count)} Avatars take one identity`);
      const links = Math.min(count, BATCH.links);
      await ask({ links, rounds: Math.ceil(count / links), holdersOf });
    }
    const [few, many] = [await ask({ ...SINGLE, holdersOf: 'few' }), await ask({ ...SINGLE, holdersOf: 'many' })].map(
      (batches) => ({ ms: median(msOf(batches)), cpuMs: median(batches.map(({ cpuMs }) => cpuMs)) }),
    );
    const ratio = many.ms / few.ms;
    const note = `A batch of one link to an identity of ${number(HOLDERS.many)} holders: median ${milliseconds(many.ms)} ms, ${milliseconds(many.cpuMs)} ms of CPU; to one of ${number(HOLDERS.few)}: ${milliseconds(few.ms)} ms, ${milliseconds(few.cpuMs)} ms.`;
    const verdict = {
      text: 'no more than 1.5 times',
      met: ratio <= TARGETS.holders,
      seen: `${ratio.toFixed(2)} times`,
    };
    return { notes: [note], few, many, verdict };
  });
}

/**
 * What the map says of an identity, beside the exact look-up of the same.
 * @param {Stage} stage
 * @param {Progress} progress
 */
async function runMap(stage, progress) {
  const { port, pid } = await stage.service();
  const load = await stage.load();
  const exact = READS.find(({ name }) => name === 'exact-1')?.requests(stage.settings.proofs) ?? [];
  const map = MAP_READ.requests(stage.settings.proofs);
  /** @param {BenchRequest[]} requests @returns {Load} */
  const to = (requests) => {
    const texts = requests.map(httpText);
    return (connections, ms) => load.ask({ kind: 'http', port, requests: texts, connections, ms });
  };
  const rows = await measure(to(map), to(exact), { ...stage.settings, pid, progress, levels: [1, 16] });
  const at16 = rows.at(-1)?.ratio ?? 0;
  const verdict = {
    text: 'at least 80 % of an exact look-up at 16 connections',
    met: at16 >= TARGETS.map,
    seen: percent(at16),
  };
  return { rows, notes: ['Here the limit is the exact look-up of the same identities by the same service.'], verdict };
}

/** @param {Stage} stage @param {Progress} progress */
async function runProof(stage, progress) {
  const { service, intake } = await openLog(stage, progress);
  const load = await stage.load();
  const ids = Array.from({ length: 2000 }, (_, place) => 1 + Math.floor(((place * 0.6180339887) % 1) * intake.size));
  const requests = ids.map((id) => httpText({ method: 'GET', path: `/v1/log/proof?kind=link&id=${id}` }));
  const rows = await measure(
    (connections, ms) => load.ask({ kind: 'http', port: service.port, requests, connections, ms }),
    null,
    { ...stage.settings, pid: service.pid, progress, levels: [1, 16] },
  );
  const seen = `${milliseconds(rows[0].p50)} ms at one connection, ${milliseconds(rows[0].p99)} ms for the slowest of a hundred`;
  const cells = rows.map(({ connections, rate, p50, p99 }) => {
    return `${number(rate)} proofs/s at ${connections} connections, p50 ${milliseconds(p50)} ms, p99 ${milliseconds(p99)} ms`;
  });
  return { notes: cells, measured: rows, verdict: { text: 'under 5 ms', met: rows[0].p50 < TARGETS.proofMs, seen } };
}

/**
 * Every bundle of entries and every tile of the tree, as an auditor reads them.
 * @param {number} size
 */
function filesOf(size) {
  /** @type {string[]} */
  const files = [];
  /** @type {('entries' | number)[]} */
  const levels = [
    'entries',
    ...Array.from({ length: Math.ceil(Math.log(size) / Math.log(TILE_WIDTH)) }, (_, at) => at),
  ];
  for (const level of levels) {
    for (let index = 0, width; (width = tileWidth(level, index, size)) > 0; index++) {
      files.push(`/log/${tilePath({ level, number: index, width })}`);
    }
  }
  return files;
}

/** @param {Stage} stage @param {Progress} progress */
async function runAudit(stage, progress) {
  const { service, intake } = await openLog(stage, progress);
  const [bare, load] = [await stage.bareFastify(), await stage.load()];
  const files = filesOf(intake.size);
  /** @param {number} port @param {string[]} paths @returns {Promise<LoadResult>} */
  const whole = (port, paths) => {
    const requests = paths.map((one) => httpText({ method: 'GET', path: one }));
    return load.ask({ kind: 'http', port, requests, connections: AUDITORS, ms: 600_000, once: true });
  };
  progress('the first audit');
  const first = await whole(service.port, files);
  progress('sizes of all files');
  /** @type {number[]} */
  const sizes = [];
  for (const file of files) {
    sizes.push((await (await fetch(`http://127.0.0.1:${service.port}${file}`)).arrayBuffer()).byteLength);
  }
  const barePaths = sizes.map((bytes, file) => `/bytes?bytes=${bytes}&file=${file}`);
  await whole(bare.port, barePaths);
  /** @type {{ audit: LoadResult, limit: LoadResult, cpu: number, bareCpu: number }[]} */
  const samples = [];
  for (let round = 0; round < stage.settings.rounds; round++) {
    progress(`audit ${round + 1} of ${stage.settings.rounds}`);
    const bareBefore = usage(bare.pid).cpu;
    const limit = await whole(bare.port, barePaths);
    const bareCpu = usage(bare.pid).cpu - bareBefore;
    const before = usage(service.pid).cpu;
    const audit = await whole(service.port, files);
    for (const { errors, count, firstError } of [audit, limit]) {
      if (errors > 0 || count !== files.length) throw new Error(`${count} of ${files.length} files: ${firstError}`);
    }
    samples.push({ audit, limit, cpu: usage(service.pid).cpu - before, bareCpu });
  }
  /** @param {(sample: typeof samples[number]) => number} pick */
  const of = (pick) => median(samples.map(pick));
  const ratio = of(({ audit, limit }) => limit.seconds / audit.seconds);
  const seconds = of(({ audit }) => audit.seconds);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const notes = [
    `${number(files.length)} files, ${number(bytes / 2 ** 20)} MiB, over ${AUDITORS} connections: ${seconds.toFixed(2)} s, ${number(files.length / seconds)} files/s, ${of(({ cpu }) => cpu).toFixed(2)} s of CPU, ${number(usage(service.pid).mib)} MiB; bare Fastify with a body of the same size for each file ${of(({ limit }) => limit.seconds).toFixed(2)} s, ${of(({ bareCpu }) => bareCpu).toFixed(2)} s of CPU.`,
    `The first audit after the start, from the database: ${first.seconds.toFixed(2)} s.`,
  ];
  notes.push(`The audit from memory has ${percent(ratio)} of the speed of the bare Fastify.`);
  return { notes, samples, first };
}

/** @param {Stage} stage @param {Progress} progress */
async function runSubmits(stage, progress) {
  const { service, env, databases } = await openLog(stage, progress);
  const other = await startService({ ...env, DATABASE_URL: databases.urlWithoutLog, LOG: 'off' });
  return submitsBeside('LOG=off', [service, other], [databases.url, databases.urlWithoutLog], stage, progress);
}

/**
 * Beside another version of Signet, with a log of its own of the same size.
 * @param {Stage} stage
 * @param {Progress} progress
 */
async function runSubmitsBeside(stage, progress) {
  if (!BESIDE) return { notes: ['Not measured: BENCH_BESIDE names no checkout of another version.'] };
  const { service, env, databases } = await openLog(stage, progress);
  const url = await createWithLinks(databases.serverUrl, `signet_bench_beside_${ENTRIES}`, ENTRIES, progress, BESIDE);
  const DATA_DIR = path.join(env.DATA_DIR, 'beside');
  mkdirSync(DATA_DIR);
  const other = await startService({ ...env, DATA_DIR, DATABASE_URL: url }, [], BESIDE);
  return submitsBeside('the other version', [service, other], [databases.url, url], stage, progress);
}

/**
 * Stops `other` at the end.
 * @param {string} limit
 * @param {Service[]} servers
 * @param {string[]} urls
 * @param {Stage} stage
 * @param {Progress} progress
 */
async function submitsBeside(limit, [service, other], urls, stage, progress) {
  const atRest = async () => {
    for (const one of [service, other]) await stage.atRest(one);
  };
  try {
    await atRest();
    // Or PostgreSQL would do so while one of the two is measured.
    for (const url of urls) await onDatabase(url, 'vacuum (analyze)');
    const load = await stage.load();
    /** @param {Service} server @returns {Load} */
    const to = (server) => async (connections, ms) => {
      progress(`${connections} connections, signing`);
      const amount = Math.ceil((ms / 1000) * SUBMITS_A_SECOND);
      const requests = Array.from({ length: amount }, () => httpText(freshBinding()));
      await atRest();
      return load.ask({ kind: 'http', port: server.port, requests, connections, ms, once: true, expect: 201 });
    };
    const options = { ...stage.settings, pid: service.pid, progress, levels: [16] };
    const rows = await measure(to(service), to(other), options);
    const verdict = {
      text: `at least 95 % of ${limit} at 16 connections`,
      met: (rows[0].ratio ?? 0) >= TARGETS.submits,
      seen: percent(rows[0].ratio ?? 0),
    };
    return { rows, notes: [`Here the limit is ${limit}.`], verdict };
  } finally {
    await other.stop();
  }
}

const entries = number(ENTRIES);

export const LOG = [
  { name: 'log-batch', title: `checkpoint after a batch of 1,000 links, log of ${entries} entries`, run: runBatch },
  { name: 'log-map', title: 'the map of one identity, beside its exact look-up', run: runMap },
  {
    name: 'log-holders',
    title: `one more holder of an identity of ${number(HOLDERS.many)}, log of ${entries} entries`,
    run: runHolders,
  },
  { name: 'log-proof', title: `proof of one entry, log of ${entries} entries`, run: runProof },
  { name: 'log-audit', title: `all files of a log of ${entries} entries`, run: runAudit },
  { name: 'log-submit', title: `wallet binding submit beside a log of ${entries} entries`, run: runSubmits },
  {
    name: 'log-submit-beside',
    title: `wallet binding submit beside a log of ${entries} entries, and that of another version`,
    run: runSubmitsBeside,
  },
];
