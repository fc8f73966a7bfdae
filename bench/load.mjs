/** The load generator's process: does one run of load at a time and answers with its measurements. */
import { loadHttp } from './http-load.mjs';
import { loadPg } from './pg-load.mjs';
import { followCursor, followFeed } from './feed-load.mjs';
import { loadStream } from './stream-load.mjs';

const KINDS = { http: loadHttp, pg: loadPg, feed: followFeed, cursor: followCursor, stream: loadStream };

process.on('message', async ({ kind, ...options }) => {
  try {
    const { latencies = [], ...result } = await KINDS[kind](options);
    process.send({ ...result, ...percentiles(latencies) });
  } catch (error) {
    process.send({ failure: error.stack });
  }
});

/** Milliseconds. */
function percentiles(latencies) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

process.send('ready');
