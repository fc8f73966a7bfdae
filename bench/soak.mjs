/**
 * `npm run soak`: SOAK_SECONDS (default 1,200) of mixed reads and writes at half of the rate that the service reaches,
 * on a real PostgreSQL. Prints a line a minute, and fails if memory or latency of the last third is above that of the
 * second by more than noise. Medians are compared, because a pause of the machine spoils one minute, and a leak shows
 * in all.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../test/support/postgres.mjs';
import { ensureBuilt } from './build.mjs';
import { median } from './measure.mjs';
import { person, sign, wallet } from './people.mjs';
import { startService, usage } from './servers.mjs';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 1200);
const SAMPLE_SECONDS = Math.min(60, Math.max(5, SECONDS / 20));
const CONNECTIONS = 16;
const CALIBRATION_MS = 10_000;
const READS_PER_WRITE = 9;
/** Factors that count as noise: of memory, and of the 99th percentile, which a busy machine changes a lot. */
const MAX_MEMORY_GROWTH = 1.15;
const MAX_LATENCY_GROWTH = 2;

ensureBuilt();
const postgres = await startPostgres({ durable: true });
const service = await startService({ DATABASE_URL: postgres.url });
const base = `http://127.0.0.1:${service.port}`;
/** @type {{ avatar: string, address: string }[]} */
const bound = [];
let next = 0;

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
async function call(path, body) {
  const response = await fetch(
    `${base}${path}`,
    body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  );
  const answer = await response.json();
  if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function bind() {
  const number = next++;
  const avatar = person(`soak ${number}`);
  const { address, ...key } = wallet(`soak ${number}`);
  const link = { action: 'create', platform: 'ethereum', identity: address, public_key: avatar.avatar };
  const { uuid, created_at, sign_payload } = await call('/v1/proof/payload', link);
  const extra = { signature: sign(avatar, sign_payload), wallet_signature: sign(key, sign_payload) };
  await call('/v1/proof', { ...link, uuid, created_at, extra });
  bound.push({ avatar: avatar.avatar, address });
}

/** @param {number} turn */
async function read(turn) {
  const { avatar, address } = bound[(turn * 7919) % bound.length];
  const paths = [
    `/v1/proof?platform=ethereum&identity=${address}&exact=true`,
    `/v1/proof/exists?platform=ethereum&identity=${address}&public_key=${avatar}`,
    `/v1/proofchain?public_key=${avatar}`,
    `/v1/proofchain/changes?last_id=${Math.max(0, bound.length - 100)}&count=100`,
  ];
  await call(paths[turn % paths.length]);
}

/**
 * Works until `endsAt`; `pauseMs` is the time between two requests of one connection, 0 for full speed.
 * @param {number} endsAt
 * @param {number} pauseMs
 * @param {number[]} latencies
 */
async function load(endsAt, pauseMs, latencies) {
  /** @param {number} first */
  const connection = async (first) => {
    let due = performance.now();
    for (let turn = first; performance.now() < endsAt; turn += CONNECTIONS) {
      const start = performance.now();
      await (turn % (READS_PER_WRITE + 1) === 0 ? bind() : read(turn));
      latencies.push(performance.now() - start);
      due = Math.max(due + pauseMs, performance.now() - pauseMs);
      if (due > performance.now()) await delay(due - performance.now());
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => connection(index)));
}

/** @param {number[]} values @param {number} share */
function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}

try {
  for (let count = 0; count < 100; count += 1) await bind();
  /** @type {number[]} */
  const calibration = [];
  await load(performance.now() + CALIBRATION_MS, 0, calibration);
  const full = calibration.length / (CALIBRATION_MS / 1000);
  const pauseMs = (1000 * CONNECTIONS) / (full / 2);
  console.log(
    `Full load is ${full.toFixed(0)} requests/s with ${CONNECTIONS} connections; ${SECONDS} s at half of it.`,
  );
  console.log('| seconds | requests/s | p50 ms | p99 ms | memory MiB |\n| --- | --- | --- | --- | --- |');
  /** @type {{ p99: number, memory: number }[]} */
  const samples = [];
  for (let elapsed = 0; elapsed < SECONDS; elapsed += SAMPLE_SECONDS) {
    /** @type {number[]} */
    const latencies = [];
    await load(performance.now() + SAMPLE_SECONDS * 1000, pauseMs, latencies);
    const sample = { p99: percentile(latencies, 0.99), memory: usage(service.pid).mib };
    samples.push(sample);
    const figures = [
      elapsed + SAMPLE_SECONDS,
      (latencies.length / SAMPLE_SECONDS).toFixed(0),
      percentile(latencies, 0.5).toFixed(1),
      sample.p99.toFixed(1),
      sample.memory.toFixed(0),
    ];
    console.log(`| ${figures.join(' | ')} |`);
  }
  const third = Math.floor(samples.length / 3);
  /** @param {'p99' | 'memory'} name */
  const growth = (name) =>
    median(samples.slice(-third).map((sample) => sample[name])) /
    median(samples.slice(third, 2 * third).map((sample) => sample[name]));
  console.log(
    `Last third against the second: memory times ${growth('memory').toFixed(2)}, p99 times ${growth('p99').toFixed(2)}; ${bound.length} bindings made.`,
  );
  if (growth('memory') > MAX_MEMORY_GROWTH || growth('p99') > MAX_LATENCY_GROWTH) {
    console.error('Memory or latency is not flat.');
    process.exitCode = 1;
  }
} finally {
  await service.stop();
  await postgres.stop();
}
