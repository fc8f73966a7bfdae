/**
 * When a proof is checked again (docs/design/decisions.md 6). Times are milliseconds unless a name says otherwise.
 */

const MINUTE_MS = 60_000;
/** An hour in milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** Rechecks after a create, in order; behind these comes the steady interval. */
const FIRST_DELAYS_MS = [HOUR_MS, DAY_MS];
/** Finished rechecks up to which a proof is young: two weeks at an interval of three days. */
const YOUNG_CHECKS = 5;
/** So that what was bound together is not checked together for ever. */
export const RECHECK_SPREAD = 0.1;
/** A "gone" counts only if it is seen again, this much later. */
export const SECOND_CHECK_MS = 60 * MINUTE_MS;

const FIRST_RETRY_MS = 10 * MINUTE_MS;
const LONGEST_RETRY_MS = 6 * HOUR_MS;

/** Answers a number from 0 to below 1. */
export type Random = () => number;

/** How far apart rechecks of a proof are, once it is past its first day. */
export interface RecheckIntervals {
  steadySeconds: number;
  /**
   * Up to so many seconds the interval doubles with each recheck of a proof that is no longer young and that nobody
   * looks up; absent: it stays as it is.
   */
  longestSeconds?: number | undefined;
}

/**
 * Milliseconds until the next recheck of a proof that has had `checksDone` finished ones since its create. None is
 * later than its interval, give or take the spread.
 */
export function delayAfterChecks(
  checksDone: number,
  intervals: RecheckIntervals,
  random: Random = Math.random,
): number {
  const steadyMs = intervalMs(checksDone, intervals);
  return spread(Math.min(FIRST_DELAYS_MS[checksDone] ?? steadyMs, steadyMs), random);
}

/** The delay of a proof that is not on its first steps: one that is invalid. */
export function steadyDelay(checksDone: number, intervals: RecheckIntervals, random: Random = Math.random): number {
  return spread(intervalMs(checksDone, intervals), random);
}

function intervalMs(checksDone: number, { steadySeconds, longestSeconds = steadySeconds }: RecheckIntervals): number {
  const doublings = Math.min(Math.max(0, checksDone - YOUNG_CHECKS), 20);
  return 1000 * Math.max(steadySeconds, Math.min(steadySeconds * 2 ** doublings, longestSeconds));
}

/**
 * Milliseconds until the next try after `failures` tries in a row without a result, this one included. Doubles, with
 * jitter, up to six hours or the steady interval; the time that the platform asked for is kept in any case.
 */
export function delayAfterFailure(
  failures: number,
  retryAfterSeconds: number | undefined,
  steadySeconds: number,
  random: Random = Math.random,
): number {
  const longest = Math.min(LONGEST_RETRY_MS, steadySeconds * 1000);
  const delay = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), longest);
  return Math.max(Math.round(delay * (0.5 + 0.5 * random())), (retryAfterSeconds ?? 0) * 1000);
}

function spread(delay: number, random: Random): number {
  return Math.round(delay * (1 - RECHECK_SPREAD + 2 * RECHECK_SPREAD * random()));
}
