import type { Step } from '@signet/verify';
import type { ServerCode } from './server-codes.js';

/** Codes of this package itself, where no server said anything. */
export type ClientCode =
  | 'unreachable'
  | 'timeout'
  | 'invalid_answer'
  | 'answer_too_large'
  | 'outcome_unknown'
  | 'verification_failed'
  | 'not_shown_here'
  | 'not_seen'
  | 'no_quorum'
  | 'incomplete'
  | 'wrong_signer'
  | 'no_account'
  | 'log_ended'
  | 'no_log'
  | 'no_map';

/** What an error carries besides its sentence. */
export interface ErrorFacts {
  /** A stable word: one of the server's table, or of this package. */
  code: ServerCode | ClientCode;
  /** HTTP status; 0 where no answer came. */
  status?: number | undefined;
  /** `X-Request-Id` of the answer: what the operator of the server finds in the log. */
  requestId?: string | undefined;
  /** Whether the same call can succeed later, unchanged. */
  retryable?: boolean | undefined;
  cause?: unknown;
}

/** Every error of the SDK is one of these. The message is one sentence for people. */
export class SignetError extends Error {
  /** Written out, because minifiers rename classes. */
  override name = 'SignetError';
  readonly code: ServerCode | ClientCode;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryable: boolean;

  constructor(message: string, { code, status = 0, requestId, retryable = false, cause }: ErrorFacts) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryable = retryable;
  }
}

/** What was sent cannot be accepted, or could not be proved: status 400 and its like. */
export class InvalidRequestError extends SignetError {
  override name = 'InvalidRequestError';
}

/** The chain has moved on since the payload was issued (`stale_chain`): ask for a new payload and sign that. */
export class StaleChainError extends InvalidRequestError {
  override name = 'StaleChainError';
}

/** The platform could not be asked (`platform_unavailable`): nothing is known, and it can be tried again. */
export class PlatformUnavailableError extends InvalidRequestError {
  override name = 'PlatformUnavailableError';
}

/** There is no such thing: status 404. */
export class NotFoundError extends SignetError {
  override name = 'NotFoundError';
}

/** Too many requests, or the server is too busy: status 429 or 503. */
export class RateLimitedError extends SignetError {
  override name = 'RateLimitedError';
  /** Seconds after which the server asked to be tried again; undefined where it did not say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, facts: ErrorFacts & { retryAfter?: number | undefined }) {
    super(message, facts);
    this.retryAfter = facts.retryAfter;
  }
}

/** No usable answer came: no connection, a broken one, or none in time. */
export class UnreachableError extends SignetError {
  override name = 'UnreachableError';
  /** False only if it is certain that nothing of the request reached the server. */
  readonly wasSent: boolean;

  constructor(message: string, facts: ErrorFacts & { wasSent: boolean }) {
    super(message, facts);
    this.wasSent = facts.wasSent;
  }
}

/**
 * A write was sent, and whether it was recorded could not be found out. Nothing was recorded twice: submit the same
 * draft again, later.
 */
export class OutcomeUnknownError extends SignetError {
  override name = 'OutcomeUnknownError';
}

/**
 * An answer is not what its signatures say, or (code `not_shown_here`) rests on the server where that is refused, or
 * (`not_seen`) names a post that this client, or a quorum of observers, looked for and did not see, or (`no_quorum`)
 * one that too few observers saw, or (`incomplete`) leaves out what the map over the log has.
 */
export class VerificationError extends SignetError {
  override name = 'VerificationError';
  /** The checks that were made; see `@signet/verify`. */
  readonly steps: Step[];

  constructor(
    message: string,
    steps: Step[],
    code: 'verification_failed' | 'not_shown_here' | 'not_seen' | 'no_quorum' | 'incomplete' = 'verification_failed',
  ) {
    super(message, { code });
    this.steps = steps;
  }
}

/**
 * A log has shown two histories, or does not prove that they are one: both notes are signed by its key. Where they
 * contradict each other, they prove it to anybody.
 */
export class LogForkError extends VerificationError {
  constructor(
    message: string,
    /** The checkpoint that was remembered. */
    readonly remembered: string,
    /** The checkpoint that does not fit it. */
    readonly shown: string,
  ) {
    super(`${message}\n\nRemembered:\n${remembered}\nShown:\n${shown}`, [
      { name: 'consistency', state: 'failed', detail: message },
    ]);
  }
}

/** What a log promised in a receipt, and did not keep. All three together prove it to anybody. */
export class ReceiptBrokenError extends VerificationError {
  /** The receipt, as the log signed it. */
  readonly receipt: string;
  /** The checkpoint that the log shows instead; null where it shows none. */
  readonly checkpoint: string | null;
  /** The proof file of what is in the log otherwise; null where it has nothing of this uuid. */
  readonly found: string | null;

  constructor(message: string, facts: { receipt: string; checkpoint: string | null; found: string | null }) {
    super(message, [{ name: 'logged_in_time', state: 'failed', detail: message }]);
    this.receipt = facts.receipt;
    this.checkpoint = facts.checkpoint;
    this.found = facts.found;
  }
}

/**
 * The server keeps no transparency log (its setting `LOG` is off), so nothing can be held against one. Not a
 * `NotFoundError`: it says nothing of what was asked for.
 */
export class NoLogError extends SignetError {
  override name = 'NoLogError';

  constructor(baseUrl: string, cause?: unknown) {
    super(`${baseUrl} keeps no transparency log.`, { code: 'no_log', status: 404, cause });
  }
}

/** The server keeps a log without a map, so that nothing can show that an answer is complete. */
export class NoMapError extends SignetError {
  override name = 'NoMapError';

  constructor(baseUrl: string, cause?: unknown) {
    super(`${baseUrl} keeps no map over its log: whether an answer is complete cannot be shown.`, {
      code: 'no_map',
      status: 404,
      cause,
    });
  }
}

interface ErrorBody {
  message?: unknown;
  code?: unknown;
}

/** The error for an answer that is not a success. */
export function errorOf(status: number, headers: Headers, body: ErrorBody | null): SignetError {
  const code = (typeof body?.code === 'string' ? body.code : 'invalid_answer') as ServerCode | ClientCode;
  const message = typeof body?.message === 'string' ? body.message : `The server answered ${status} without a reason.`;
  const requestId = headers.get('x-request-id') ?? undefined;
  const facts: ErrorFacts = { code, status, requestId };
  if (status === 429 || status === 503) {
    const seconds = Number(headers.get('retry-after') ?? NaN);
    const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
    return new RateLimitedError(message, { ...facts, retryable: true, retryAfter });
  }
  if (status === 404) return new NotFoundError(message, facts);
  if (code === 'stale_chain') return new StaleChainError(message, facts);
  if (code === 'platform_unavailable') return new PlatformUnavailableError(message, { ...facts, retryable: true });
  if (status >= 400 && status < 500) return new InvalidRequestError(message, facts);
  return new SignetError(message, { ...facts, retryable: true });
}

/** Whether a record, or the log itself, waits for a tree head that comes by itself. */
export function isNotLoggedYet(error: unknown): boolean {
  return error instanceof SignetError && ['not_yet_logged', 'log_catching_up', 'map_catching_up'].includes(error.code);
}

/** For `catch`: null for what is not there. @throws every other error */
export function nullWhereNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
