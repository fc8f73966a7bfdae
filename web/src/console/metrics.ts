/** What the plots need of `/metrics` (Prometheus text format 0.0.4). */

/** All samples of one reading, added up over labels but `le`. */
export interface Reading {
  /** Milliseconds, of this browser's clock. */
  at: number;
  requests: number;
  rechecks: number;
  events: number;
  /** Requests that took at most so many seconds, by `le`; as in the histogram. */
  buckets: Map<number, number>;
}

/** What happened between two readings. */
export interface Rates {
  at: number;
  requestsPerSecond: number;
  rechecksPerMinute: number;
  eventsPerMinute: number;
  /** Milliseconds below which 95 of 100 requests stayed; null where there was none. */
  latencyMs: number | null;
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)/;
const LIMIT = /(?:^|,)le="([^"]+)"/;
const QUANTILE = 0.95;

/** Reads the text of `/metrics`. */
export function readMetrics(text: string, at: number): Reading {
  const reading: Reading = { at, requests: 0, rechecks: 0, events: 0, buckets: new Map() };
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === 'signet_http_request_duration_seconds_count') reading.requests += Number(value);
    if (name === 'signet_check_duration_seconds_count') reading.rechecks += Number(value);
    if (name === 'signet_event_position') reading.events = Math.max(reading.events, Number(value));
    if (name !== 'signet_http_request_duration_seconds_bucket') continue;
    const limit = Number((LIMIT.exec(labels)?.[1] ?? '').replace('+Inf', 'Infinity'));
    reading.buckets.set(limit, (reading.buckets.get(limit) ?? 0) + Number(value));
  }
  return reading;
}

/** What happened between two readings. A server that was started anew counts from zero again: then nothing. */
export function ratesBetween(before: Reading, now: Reading): Rates {
  const seconds = Math.max((now.at - before.at) / 1000, 0.001);
  const grown = (old: number, fresh: number) => Math.max(fresh - old, 0) / seconds;
  return {
    at: now.at,
    requestsPerSecond: grown(before.requests, now.requests),
    rechecksPerMinute: 60 * grown(before.rechecks, now.rechecks),
    eventsPerMinute: 60 * grown(before.events, now.events),
    latencyMs: quantile(before.buckets, now.buckets),
  };
}

/** By linear interpolation within its bucket, as Prometheus does. */
function quantile(before: Map<number, number>, now: Map<number, number>): number | null {
  const limits = [...now.keys()].sort((a, b) => a - b);
  const counts = limits.map((limit) => now.get(limit)! - (before.get(limit) ?? 0));
  const total = counts.at(-1) ?? 0;
  if (total <= 0) return null;
  const wanted = QUANTILE * total;
  const index = counts.findIndex((count) => count >= wanted);
  const [low, high] = [limits[index - 1] ?? 0, limits[index]!];
  if (high === Infinity) return low * 1000;
  const below = counts[index - 1] ?? 0;
  return 1000 * (low + ((high - low) * (wanted - below)) / Math.max(counts[index]! - below, 1));
}
