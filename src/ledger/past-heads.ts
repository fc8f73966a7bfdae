import type { SignedRecord } from './signed-record.js';

/**
 * How many past heads are tried to distinguish a moved chain from a changed field. An unsigned request makes the server
 * read and try them all, so there are few. A payload that more items than this have overtaken gets `payload_mismatch`
 * instead of `stale_chain`; both ask for a new payload.
 */
export const MAX_PAST_HEADS = 100;

/** Servers' clocks and the clock of the database may differ by this much. */
const CLOCK_SKEW_MS = 5 * 60 * 1000;

/** The fields of a link or patch that identify it as a former head. */
export type PastHead = Pick<SignedRecord, 'signature' | 'recordedAt'>;

/**
 * Every head that a chain has had from `time` on, and the one that was the head at that time; null stands for the empty
 * chain.
 * @param newest the newest `MAX_PAST_HEADS` items of the chain, newest first.
 */
export function headsSince(newest: PastHead[], time: Date): (string | null)[] {
  const oldestOfInterest = time.getTime() - CLOCK_SKEW_MS;
  const before = newest.findIndex((head) => head.recordedAt.getTime() < oldestOfInterest);
  const heads = (before < 0 ? newest : newest.slice(0, before + 1)).map((head) => head.signature);
  return before < 0 && newest.length < MAX_PAST_HEADS ? [...heads, null] : heads;
}
