import { TableColumns } from '../database/table-columns.js';
import { Proof } from '../proof/proof.entity.js';
import {
  delayAfterChecks,
  delayAfterFailure,
  type Random,
  type RecheckIntervals,
  type RecheckOutcome,
  SECOND_CHECK_MS,
  steadyDelay,
} from '@signet/look/internal';

const CHANGED_BY_CHECKS = [
  'isValid',
  'invalidReason',
  'lastCheckedAt',
  'goneSince',
  'nextCheckAt',
  'checksDone',
  'checkFailures',
] as const;

export const CHECKED = TableColumns.of(Proof).pick(...CHANGED_BY_CHECKS);

export type CheckedState = Pick<Proof, (typeof CHANGED_BY_CHECKS)[number]> & { nextCheckAt: Date };

/**
 * The state after a check (docs/design/decisions.md 6). Only a finished validation moves `lastCheckedAt`: a "valid", or
 * a "gone" that is not new or was seen before, an hour or more ago. A first "gone" is remembered in `goneSince`; a
 * platform that could not be asked changes nothing but the time of the next try.
 */
export function stateAfter(
  before: CheckedState,
  outcome: RecheckOutcome,
  now: Date,
  intervals: RecheckIntervals,
  random: Random = Math.random,
): CheckedState {
  const inMs = (delay: number) => new Date(now.getTime() + delay);
  if (outcome.kind === 'unavailable' || outcome.kind === 'misconfigured') {
    const checkFailures = before.checkFailures + 1;
    const retryAfter = outcome.kind === 'unavailable' ? outcome.retryAfterSeconds : undefined;
    return {
      ...before,
      checkFailures,
      nextCheckAt: inMs(delayAfterFailure(checkFailures, retryAfter, intervals.steadySeconds, random)),
    };
  }

  const finished = { lastCheckedAt: now, checksDone: before.checksDone + 1, checkFailures: 0 };
  if (outcome.kind === 'valid') {
    const nextCheckAt = inMs(delayAfterChecks(finished.checksDone, intervals, random));
    return { ...finished, isValid: true, invalidReason: '', goneSince: null, nextCheckAt };
  }

  // A time in the future is of a clock that was put back since.
  const goneSince = before.goneSince && before.goneSince < now ? before.goneSince : now;
  const secondCheck = new Date(goneSince.getTime() + SECOND_CHECK_MS);
  if (before.isValid && now < secondCheck) return { ...before, goneSince, checkFailures: 0, nextCheckAt: secondCheck };
  const nextCheckAt = inMs(steadyDelay(finished.checksDone, intervals, random));
  return { ...finished, isValid: false, invalidReason: outcome.reason, goneSince, nextCheckAt };
}
