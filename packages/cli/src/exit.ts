/** How a run ends. */
import {
  BusyError,
  type Resting,
  NoLogError,
  NoMapError,
  OutcomeUnknownError,
  RateLimitedError,
  SignetError,
  UnreachableError,
  VerificationError,
  WrongUsageError,
} from '@signet/sdk';

/**
 * Exit codes. `refused` is a "no", also that of commands which check what they are given. With `unverified` there is no
 * answer: what the server says does not verify, or it keeps no log by which it could. `interrupted` is what shells
 * expect after Ctrl-C.
 */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, unverified: 4, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was called in a way that cannot work. The message is a sentence that says how it can. */
export class UsageError extends Error {
  constructor(
    message: string,
    /** A stable word for programs. */
    readonly code = 'usage',
  ) {
    super(message);
  }
}

/** What was asked for is not so, or cannot be done. The message is a sentence for people. */
export class RefusedError extends Error {
  constructor(
    message: string,
    /** A stable word for programs. */
    readonly code: string,
    /** By what the "no" is proved, if it is. */
    readonly resting: Resting | null = null,
  ) {
    super(message);
  }
}

/** A host other than the server could not be reached. */
export class NotReachedError extends Error {
  constructor(
    message: string,
    /** A stable word for programs. */
    readonly code = 'unreachable',
  ) {
    super(message);
  }
}

/** What the server says of a question that has no answer: no "no", which a script would take for one. */
const WRONG_QUESTIONS: readonly string[] = [
  ...['unknown_platform', 'unknown_event_type', 'invalid_identity', 'invalid_public_key', 'invalid_request'],
  ...['unstorable_text', 'missing_proof_location', 'chain_required'],
];

/** The exit code for a thrown value of any kind. */
export function exitCodeOf(error: unknown): ExitCode {
  // The SDK refuses what it cannot ask, such as a name on an unknown platform: that is no "no".
  if (error instanceof UsageError || error instanceof WrongUsageError || error instanceof TypeError) return EXIT.usage;
  if (error instanceof SignetError && WRONG_QUESTIONS.includes(error.code)) return EXIT.usage;
  if (error instanceof NotReachedError) return EXIT.unreachable;
  // What is signed, and rests on the word of the server (`--shown-here`), verifies.
  const isUnverified = error instanceof VerificationError && error.code !== 'not_shown_here';
  if (isUnverified || error instanceof NoLogError || error instanceof NoMapError) return EXIT.unverified;
  const isAway = [UnreachableError, RateLimitedError, BusyError, OutcomeUnknownError].some(
    (kind) => error instanceof kind,
  );
  // A 5xx, and an answer that is not this service's, are no answers to the question.
  const isNoAnswer =
    error instanceof SignetError &&
    (error.status >= 500 || error.code === 'invalid_answer' || error.code === 'answer_too_large');
  return isAway || isNoAnswer ? EXIT.unreachable : EXIT.refused;
}

/** A stable word for a thrown value of any kind: its `code`, or `failed`. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'failed';
}
