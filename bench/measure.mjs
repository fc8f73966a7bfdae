/**
 * Runs the service and its limit alternately, so that both see the same noise of the machine, and takes medians over
 * the rounds.
 */
import { usage } from './servers.mjs';

/** @import { Load, LoadResult, Progress, Row, Sample } from './types.d.ts' */

export const CONNECTIONS = (process.env.BENCH_CONNECTIONS || '1,16,64').split(',').map(Number);
/** Connections that the service holds to its database, and so the loops too. */
export const POOL_SIZE = 10;
const WARM_UP_SHARE = 0.5;

/**
 * @param {Load} service
 * @param {Load | null} limit
 * @param {{ seconds: number, rounds: number, pid: number, levels?: number[], progress: Progress }} options
 * @returns one row for each number of connections
 */
export async function measure(service, limit, { seconds, rounds, pid, levels = CONNECTIONS, progress }) {
  /** @type {Row[]} */
  const rows = [];
  for (const connections of levels) {
    const ms = seconds * 1000;
    await service(connections, ms * WARM_UP_SHARE);
    if (limit) await limit(connections, ms * WARM_UP_SHARE);
    /** @type {Sample[]} */
    const samples = [];
    for (let round = 0; round < rounds; round++) {
      progress(`${connections} connections, round ${round + 1} of ${rounds}`);
      const bound = limit && (await limit(connections, ms));
      const before = usage(pid);
      const result = await service(connections, ms);
      const after = usage(pid);
      if (result.errors > 0) throw new Error(`${result.errors} requests failed: ${result.firstError}`);
      samples.push({
        ...sample(result),
        cpu: (100 * (after.cpu - before.cpu)) / result.seconds,
        mib: after.mib,
        bound: bound && sample(bound),
      });
    }
    rows.push({ connections, ...summary(samples) });
  }
  return rows;
}

/** @param {LoadResult} result */
function sample({ count, seconds, p50, p99 }) {
  return { rate: count / seconds, p50, p99 };
}

/** @param {Sample[]} samples */
function summary(samples) {
  /** @param {(sample: Sample) => number} pick */
  const of = (pick) => median(samples.map(pick));
  const row = {
    rate: of((s) => s.rate),
    p50: of((s) => s.p50),
    p99: of((s) => s.p99),
    cpu: of((s) => s.cpu),
    mib: of((s) => s.mib),
  };
  const bounds = samples.flatMap(({ bound, rate }) => (bound ? [{ ...bound, ratio: rate / bound.rate }] : []));
  if (bounds.length === 0) return row;
  return {
    ...row,
    limit: median(bounds.map((bound) => bound.rate)),
    limitP50: median(bounds.map((bound) => bound.p50)),
    limitP99: median(bounds.map((bound) => bound.p99)),
    ratio: median(bounds.map((bound) => bound.ratio)),
  };
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
