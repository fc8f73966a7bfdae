/**
 * Base of all errors that are expected. `code` is the stable word for programs (docs/reference/errors.md), `message`
 * one sentence for people; neither holds secrets, remote bodies or internal addresses. The original error travels as
 * `cause`.
 */
export abstract class DomainError extends Error {
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * The request can never be accepted, in any state of the service: its shape, a key or an identity is wrong.
 */
export class InvalidRequestError extends DomainError {
  constructor(message: string, code = 'invalid_request') {
    super(message, code);
  }
}

/** A signature that is missing, malformed, or not made by the expected key over the expected text. */
export class InvalidSignatureError extends DomainError {
  constructor(message: string) {
    super(message, 'invalid_signature');
  }
}

/** The platform gave no answer (timeout, 5xx, rate limit, bot check), so the state is unknown. Try again later. */
export class PlatformUnavailableError extends DomainError {
  /** Seconds after which the platform asked for the next try; undefined if it named none. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(message, 'platform_unavailable', options);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * This server lacks a setting or a permission for the platform; the operator has to act. The message names no secret.
 */
export class PlatformMisconfiguredError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 'platform_not_configured', options);
  }
}
