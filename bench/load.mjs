/** The load generator's process: does one run of load at a time and answers with its measurements. */
import { loadHttp } from './http-load.mjs';
import { loadPg } from './pg-load.mjs';
import { followCursor, followFeed } from './feed-load.mjs';
import { loadStream } from './stream-load.mjs';

/** @type {Record<string, (options: any) => Promise<{ latencies?: number[] }>>} */
const KINDS = { http: loadHttp, pg: loadPg, feed: followFeed, cursor: followCursor, stream: loadStream };

process.on('message', async (message) => {
  const { kind, ...options } = /** @type {{ kind: string }} */ (message);
  try {
    const { latencies = [], ...result } = await KINDS[kind](options);
    process.send?.({ ...result, ...percentiles(latencies) });
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.stack : String(error) });
  }
});

/**
 * Milliseconds.
 * @param {number[]} latencies
 */
function percentiles(latencies) {
  const sorted = Float64Array.from(latencies).sort();
  /** @param {number} share */
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

process.send?.('ready');
