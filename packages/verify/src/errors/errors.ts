/**
 * The base of all errors that these packages throw, and the errors that several of them share. No input, no output.
 */
import type { ErrorCode } from './error-codes.js';

export type { ClientCode, ErrorCode } from './error-codes.js';
export type { ServerCode } from './server-codes.js';

/** What an error carries besides its sentence. */
export interface ErrorFacts {
  /** A stable word for programs. */
  code: ErrorCode;
  /** HTTP status of the answer; 0 when absent: no server answered. */
  status?: number | undefined;
  /** `X-Request-Id` of the answer. */
  requestId?: string | undefined;
  /** Whether the same call can succeed later, unchanged; false when absent. */
  retryable?: boolean | undefined;
  /** Seconds after which the server or platform asked to be tried again. */
  retryAfterSeconds?: number | undefined;
  /** The error that led to this one. */
  cause?: unknown;
}

/**
 * The base of every error that the packages of Signet throw. The message is one sentence for people, and `code` the
 * word for programs. `name` is a text: a minifier does not change it, and it holds across two copies of a package,
 * where `instanceof` does not.
 */
export class SignetError extends Error {
  override name = 'SignetError';
  /** A stable word for programs. */
  readonly code: ErrorCode;
  /** HTTP status of the answer; 0 where no server answered. */
  readonly status: number;
  /** `X-Request-Id` of the answer, by which the operator of the server finds the request in the log. */
  readonly requestId: string | undefined;
  /** Whether the same call can succeed later, unchanged. */
  readonly retryable: boolean;
  /** Seconds after which the server or platform asked to be tried again; undefined where it named none. */
  readonly retryAfterSeconds: number | undefined;

  /** `facts` is the code alone where nothing else is known. */
  constructor(message: string, facts: ErrorCode | ErrorFacts) {
    const known: ErrorFacts = typeof facts === 'string' ? { code: facts } : facts;
    super(message, known.cause === undefined ? undefined : { cause: known.cause });
    this.code = known.code;
    this.status = known.status ?? 0;
    this.requestId = known.requestId;
    this.retryable = known.retryable ?? false;
    this.retryAfterSeconds = known.retryAfterSeconds;
  }
}

/**
 * A function was called in a way that cannot work: an option that does not exist or is of the wrong type. The message
 * names it. Code `wrong_usage`.
 */
export class WrongUsageError extends SignetError {
  override name = 'WrongUsageError';

  constructor(message: string, cause?: unknown) {
    super(message, { code: 'wrong_usage', cause });
  }
}

/**
 * What was sent can never be accepted as it is: a field, a key or an identity is wrong. A server answers it with a
 * status from 400 to 499, and the packages throw it for what they refuse themselves (status 0).
 */
export class InvalidRequestError extends SignetError {
  override name = 'InvalidRequestError';

  constructor(message: string, facts: ErrorCode | ErrorFacts = 'invalid_request') {
    super(message, facts);
  }
}

/**
 * A platform could not be asked, by a server or by this program (`platform_unavailable`): it timed out, refused or gave
 * an answer that cannot be used. Nothing is known of the binding, and the same call can succeed later.
 */
export class PlatformUnavailableError extends SignetError {
  override name = 'PlatformUnavailableError';

  constructor(message: string, facts: Omit<ErrorFacts, 'code' | 'retryable'> = {}) {
    super(message, { ...facts, code: 'platform_unavailable', retryable: true });
  }
}
