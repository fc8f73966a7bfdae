/** The transparency log at size: BENCH_LOG_ENTRIES links, in databases of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TILE_WIDTH, tilePath, tileWidth } from '@signet/verify/log';
import { openLogDatabases } from '../log-database.mjs';
import { measure, median } from '../measure.mjs';
import { milliseconds, number, percent } from '../report.mjs';
import { httpText } from '../requests.mjs';
import { startService, usage } from '../servers.mjs';
import { startWorker } from '../workers.mjs';
import { freshBinding, SECRET } from './writes.mjs';

const ENTRIES = Number(process.env.BENCH_LOG_ENTRIES || 50_000);
const BATCH = { links: 1000, rounds: 20 };
const AUDITORS = 8;
const SUBMITS_A_SECOND = 3000;
const LOOK_MS = 100;
const TARGETS = { batchMs: 100, proofMs: 5, submits: 0.95 };

/** The database with the log, another with the same links and no log, and a service on the first that has caught up. */
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

/** The time and memory for taking in the old links. */
async function caughtUp({ port, pid }, progress) {
  const started = performance.now();
  const before = usage(pid);
  for (;;) {
    const log = await (await fetch(`http://127.0.0.1:${port}/v1/log`)).json();
    if (log.state === 'refused') throw new Error(log.problem);
    if (log.state === 'ok' && log.waiting === 0 && log.size >= ENTRIES) {
      const seconds = (performance.now() - started) / 1000;
      return { seconds, size: log.size, cpu: usage(pid).cpu - before.cpu, mib: usage(pid).mib };
    }
    progress(`taking in: ${log.waiting} wait`);
    await delay(LOOK_MS);
  }
}

async function runBatch(stage, progress) {
  const { databases, env, intake } = await openLog(stage, progress);
  progress(`${BATCH.rounds} batches`);
  const worker = await startWorker('log-batch.mjs', {
    ...process.env,
    ...env,
    DATABASE_URL: databases.url,
    LOG: 'off',
    LOG_LEVEL: 'error',
    REVALIDATION: 'off',
  });
  try {
    const { batches } = await worker.ask(BATCH);
    const times = batches.map(({ ms }) => ms).sort((one, other) => one - other);
    const notes = [
      `At the first start ${number(intake.size)} links were taken in within ${intake.seconds.toFixed(1)} s (${number(intake.size / intake.seconds)} a second, ${intake.cpu.toFixed(1)} s of CPU, ${number(intake.mib)} MiB), in rounds of 1,000.`,
      `Then ${times.length} batches of ${number(BATCH.links)} links, from the look at what waits to the checkpoint that is committed: median ${milliseconds(median(times))} ms, longest ${milliseconds(times.at(-1))} ms; ${milliseconds(median(batches.map(({ cpuMs }) => cpuMs)))} ms of CPU of this process.`,
    ];
    const seen = `${milliseconds(median(times))} ms in a tree of ${number(batches[0].size)} entries and more`;
    return { notes, batches, verdict: { text: 'under 100 ms', met: median(times) < TARGETS.batchMs, seen } };
  } finally {
    worker.stop();
  }
}

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

/** Every bundle of entries and every tile of the tree, as an auditor reads them. */
function filesOf(size) {
  const files = [];
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

async function runAudit(stage, progress) {
  const { service, intake } = await openLog(stage, progress);
  const [bare, load] = [await stage.bareFastify(), await stage.load()];
  const files = filesOf(intake.size);
  const whole = (port, paths) => {
    const requests = paths.map((one) => httpText({ method: 'GET', path: one }));
    return load.ask({ kind: 'http', port, requests, connections: AUDITORS, ms: 600_000, once: true });
  };
  progress('the first audit');
  const first = await whole(service.port, files);
  progress('sizes of all files');
  const sizes = [];
  for (const file of files) {
    sizes.push((await (await fetch(`http://127.0.0.1:${service.port}${file}`)).arrayBuffer()).byteLength);
  }
  const barePaths = sizes.map((bytes, file) => `/bytes?bytes=${bytes}&file=${file}`);
  await whole(bare.port, barePaths);
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

async function runSubmits(stage, progress) {
  const { service, env, databases } = await openLog(stage, progress);
  const other = await startService({ ...env, DATABASE_URL: databases.urlWithoutLog, LOG: 'off' });
  try {
    const load = await stage.load();
    const to = (port) => (connections, ms) => {
      progress(`${connections} connections, signing`);
      const amount = Math.ceil((ms / 1000) * SUBMITS_A_SECOND);
      const requests = Array.from({ length: amount }, () => httpText(freshBinding()));
      return load.ask({ kind: 'http', port, requests, connections, ms, once: true, expect: 201 });
    };
    const options = { ...stage.settings, pid: service.pid, progress, levels: [16] };
    const rows = await measure(to(service.port), to(other.port), options);
    const verdict = {
      text: 'at least 95 % of LOG=off at 16 connections',
      met: rows[0].ratio >= TARGETS.submits,
      seen: percent(rows[0].ratio),
    };
    return { rows, notes: ['Here the limit is the same service with LOG=off.'], verdict };
  } finally {
    await other.stop();
  }
}

const entries = number(ENTRIES);

export const LOG = [
  { name: 'log-batch', title: `checkpoint after a batch of 1,000 links, log of ${entries} entries`, run: runBatch },
  { name: 'log-proof', title: `proof of one entry, log of ${entries} entries`, run: runProof },
  { name: 'log-audit', title: `all files of a log of ${entries} entries`, run: runAudit },
  { name: 'log-submit', title: `wallet binding submit beside a log of ${entries} entries`, run: runSubmits },
];
