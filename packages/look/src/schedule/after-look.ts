import { delayAfterFailure, type Random, SECOND_CHECK_MS } from './recheck-schedule.js';
import type { RecheckOutcome } from './recheck-outcome.js';

/** What is known of a binding from earlier looks. */
export interface LookProgress {
  /** What was said last; null if nothing was. */
  isSeen: boolean | null;
  /** When it was first not there, since it was there last. */
  goneSince: Date | null;
  /** Looks in a row that learnt nothing. */
  failures: number;
}

/** What follows from a look. */
export interface AfterLook {
  state: LookProgress;
  /** Milliseconds until the next look. */
  inMs: number;
  /** What is signed; null: nothing. */
  says: boolean | null;
}

/** Later than an hour, so that the clocks of two servers cannot make a third look of the second. */
const SECOND_LOOK_MS = SECOND_CHECK_MS + 60_000;
/** Looks are spread over a tenth of their interval, and none comes before its end. */
const SPREAD = 0.1;

/**
 * The state after a look. What is there is said at once, and what is not there only after it was looked for twice, an
 * hour apart. A look that learnt nothing says nothing, and is repeated after minutes, then hours.
 */
export function afterLook(
  before: LookProgress,
  outcome: RecheckOutcome,
  now: Date,
  lookSeconds: number,
  random: Random = Math.random,
): AfterLook {
  const steadyMs = Math.round(lookSeconds * 1000 * (1 + SPREAD * random()));
  if (outcome.kind === 'valid') {
    return { state: { isSeen: true, goneSince: null, failures: 0 }, inMs: steadyMs, says: true };
  }
  if (outcome.kind === 'gone') {
    // A time in the future is of a clock that was put back since.
    const goneSince = before.goneSince && before.goneSince < now ? before.goneSince : now;
    const sinceMs = now.getTime() - goneSince.getTime();
    const isCertain = before.isSeen === false || sinceMs >= SECOND_CHECK_MS;
    const state = { isSeen: isCertain ? false : before.isSeen, goneSince, failures: 0 };
    return { state, inMs: isCertain ? steadyMs : SECOND_LOOK_MS - sinceMs, says: isCertain ? false : null };
  }
  const failures = before.failures + 1;
  const retryAfter = outcome.kind === 'unavailable' ? outcome.retryAfterSeconds : undefined;
  const inMs = delayAfterFailure(failures, retryAfter, lookSeconds, random);
  return { state: { ...before, failures }, inMs, says: null };
}
