import { PlatformMisconfiguredError, PlatformUnavailableError } from '../errors.js';
import type { PlatformProof, ValidVerdict, Verdict } from '../platform-verifier.js';

/** The outcome of one recheck (docs/design/platforms.md 0.3). */
export type RecheckOutcome =
  | { kind: 'valid'; verdict: ValidVerdict }
  | { kind: 'gone'; reason: string; proof?: PlatformProof | undefined }
  | { kind: 'unavailable'; reason: string; retryAfterSeconds?: number | undefined }
  | { kind: 'misconfigured'; reason: string };

/** Longer than any sentence of a verifier. */
const MAX_REASON_LENGTH = 500;
const NO_REASON = 'The platform does not confirm the proof any more.';

/**
 * Reads the answer of a verifier. An error that is neither of the two it may throw is a defect of ours: nothing is
 * known then, and its text, which may hold anything, is not repeated.
 */
export function outcomeOf(answer: Verdict | Error): RecheckOutcome {
  if (answer instanceof PlatformUnavailableError) {
    const { message, retryAfterSeconds } = answer;
    return { kind: 'unavailable', reason: sentence(message), retryAfterSeconds };
  }
  if (answer instanceof PlatformMisconfiguredError) return { kind: 'misconfigured', reason: sentence(answer.message) };
  if (answer instanceof Error) return { kind: 'unavailable', reason: 'The check failed on this server.' };
  if (answer.valid) return { kind: 'valid', verdict: answer };
  return { kind: 'gone', reason: sentence(answer.reason), proof: answer.proof };
}

/** Whether the error is a defect that has to be logged. */
export function isDefect(answer: Verdict | Error): answer is Error {
  const isExpected = answer instanceof PlatformUnavailableError || answer instanceof PlatformMisconfiguredError;
  return answer instanceof Error && !isExpected;
}

/** A reason that the database can hold: not empty, of bounded length, without control characters and broken ones. */
function sentence(text: string): string {
  // Cut first: a cut through a pair of surrogates leaves a broken one.
  const clean = text
    .slice(0, MAX_REASON_LENGTH)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return clean || NO_REASON;
}
