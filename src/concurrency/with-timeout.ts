import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns the result of `work`, or that of `onTimeout` if `work` takes longer than `ms` milliseconds. The work itself
 * goes on then, and its result is ignored, a rejection too. @throws the error of `work` or of `onTimeout`
 *
 * Own code, because p-timeout does the same and its current major needs Node 22, while this service runs on Node 20.
 */
export async function withTimeout<Result, Late = Result>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  const timer = new AbortController();
  const late = delay(ms, undefined, { signal: timer.signal }).then(onTimeout);
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
