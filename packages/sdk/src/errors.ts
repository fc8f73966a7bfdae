/**
 * The errors of this package. Those that it shares with `@signet/verify` and `@signet/look`, and the base of all, are
 * in `@signet/verify/errors`.
 */
import type { Step } from '@signet/verify';
import {
  type ErrorCode,
  type ErrorFacts,
  InvalidRequestError,
  PlatformUnavailableError,
  SignetError,
} from '@signet/verify/errors';

export type { ClientCode, ErrorCode, ErrorFacts, ServerCode } from '@signet/verify/errors';
export { InvalidRequestError, PlatformUnavailableError, SignetError, WrongUsageError } from '@signet/verify/errors';

/** The chain has moved on since the payload was issued (`stale_chain`): ask for a new payload and sign that. */
export class StaleChainError extends InvalidRequestError {
  override name = 'StaleChainError';
}

/**
 * The rules of key events refuse this one; `code` says why, such as `key_too_low` (docs/keys.md). The state of the keys
 * has to change before it can be taken.
 */
export class KeyRefusedError extends InvalidRequestError {
  override name = 'KeyRefusedError';
}

/** There is no such thing: status 404. */
export class NotFoundError extends SignetError {
  override name = 'NotFoundError';
}

/** This client asks too often: status 429. `retryAfterSeconds` is what the server asked for. */
export class RateLimitedError extends SignetError {
  override name = 'RateLimitedError';
}

/**
 * The server cannot answer now: status 503, as `database_unavailable`, `stopping`, `overloaded` or `storage_full`. The
 * client did nothing wrong.
 */
export class BusyError extends SignetError {
  override name = 'BusyError';
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

/** The codes of a `VerificationError`. */
export type VerificationCode = Extract<
  ErrorCode,
  'verification_failed' | 'not_shown_here' | 'not_seen' | 'no_quorum' | 'incomplete' | 'log_fork' | 'receipt_broken'
>;

/**
 * An answer is not what its signatures say, or (code `not_shown_here`) rests on the server where that is refused, or
 * (`not_seen`) names a post that this client, or a quorum of observers, looked for and did not see, or (`no_quorum`)
 * one that too few observers saw, or (`incomplete`) leaves out what the map over the log has. `LogForkError` and
 * `ReceiptBrokenError` are findings against a log.
 */
export class VerificationError extends SignetError {
  override name = 'VerificationError';
  /** The checks that were made; see `@signet/verify`. */
  readonly steps: Step[];

  constructor(message: string, steps: Step[], code: VerificationCode = 'verification_failed') {
    super(message, code);
    this.steps = steps;
  }
}

/**
 * A log has shown two histories, or does not prove that they are one: both notes are signed by its key. Where they
 * contradict each other, they prove it to anybody. Code `log_fork`.
 */
export class LogForkError extends VerificationError {
  override name = 'LogForkError';

  constructor(
    message: string,
    /** The checkpoint that was remembered. */
    readonly remembered: string,
    /** The checkpoint that does not fit it. */
    readonly shown: string,
  ) {
    const step: Step = { name: 'consistency', state: 'failed', detail: message };
    super(`${message}\n\nRemembered:\n${remembered}\nShown:\n${shown}`, [step], 'log_fork');
  }
}

/**
 * A log did not keep what it promised in a receipt. Receipt, checkpoint and proof together prove it to anybody. Code
 * `receipt_broken`.
 */
export class ReceiptBrokenError extends VerificationError {
  override name = 'ReceiptBrokenError';
  /** The receipt, as the log signed it. */
  readonly receipt: string;
  /** The checkpoint that the log shows instead; null where it shows none. */
  readonly checkpoint: string | null;
  /** The proof file of what is in the log otherwise; null where it has nothing of this uuid. */
  readonly found: string | null;

  constructor(message: string, facts: { receipt: string; checkpoint: string | null; found: string | null }) {
    super(message, [{ name: 'logged_in_time', state: 'failed', detail: message }], 'receipt_broken');
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
  const code = (typeof body?.code === 'string' ? body.code : 'invalid_answer') as ErrorCode;
  const message = typeof body?.message === 'string' ? body.message : `The server answered ${status} without a reason.`;
  const retryAfterSeconds = secondsIn(headers.get('retry-after'));
  const facts: ErrorFacts = { code, status, requestId: headers.get('x-request-id') ?? undefined, retryAfterSeconds };
  // A server that names a time expects another answer then: a record that waits for its tree head is a 404 until then.
  const later: ErrorFacts = { ...facts, retryable: true };
  if (status === 429) return new RateLimitedError(message, later);
  // 425: not before the connection is safe from replays; nothing was looked at.
  if (status === 503 || status === 425) return new BusyError(message, later);
  // 408: something on the way gave up waiting, for the request or for its answer.
  if (status === 408) return new UnreachableError(message, { ...later, wasSent: true });
  if (status === 404) return new NotFoundError(message, retryAfterSeconds === undefined ? facts : later);
  if (code === 'stale_chain') return new StaleChainError(message, facts);
  if (code === 'platform_unavailable') return new PlatformUnavailableError(message, facts);
  if (status >= 400 && status < 500) return new InvalidRequestError(message, facts);
  return new SignetError(message, later);
}

/** The header `Retry-After`, which this service sends in seconds, and others also as a date (RFC 9110, 10.2.3). */
function secondsIn(header: string | null): number | undefined {
  const text = header ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = / GMT$/.test(text) ? (Date.parse(text) - Date.now()) / 1000 : NaN;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
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
