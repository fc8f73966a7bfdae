/**
 * Everything that can go wrong with a request in the words of the domain. Only `http/domain-error.filter.ts` knows
 * which status each kind becomes. `code` is the stable word for programs (docs/design/decisions.md 4), `message` one
 * sentence for people; neither holds secrets, remote bodies or internal addresses. The original error travels as
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
 * The caller sent something that cannot be accepted, whatever the state of the service: a shape, a key, an identity.
 */
export class InvalidRequestError extends DomainError {
  constructor(message: string, code = 'invalid_request') {
    super(message, code);
  }
}

/** A well-formed request that could not be proved or is not allowed in the current state. */
export class ProofRejectedError extends DomainError {
  constructor(message: string, code = 'proof_rejected', options?: ErrorOptions) {
    super(message, code, options);
  }
}

/** More than a setting of this server allows; the message names the limit and what was seen. */
export class LimitExceededError extends DomainError {}

/** The uuid does not belong to these fields: something was changed, or this service never issued the payload. */
export class PayloadMismatchError extends DomainError {
  constructor(message: string) {
    super(message, 'payload_mismatch');
  }
}

/** The payload was issued by this service, but its time is over, or its time lies ahead of this server's clock. */
export class PayloadExpiredError extends DomainError {
  constructor(message: string) {
    super(message, 'payload_expired');
  }
}

/** The payload was issued on a head that is no longer the head of the chain. */
export class StaleChainError extends DomainError {
  constructor() {
    super(
      'The chain of this Avatar has moved on since this payload was issued; ask for a new payload and sign that.',
      'stale_chain',
    );
  }
}

/** A link or patch with this uuid is already stored. */
export class AlreadyRecordedError extends DomainError {
  constructor(uuid: string) {
    super(`The payload ${uuid} was already submitted and is recorded.`, 'already_recorded');
  }
}

/** A signature that is missing, malformed, or not made by the expected key over the expected text. */
export class InvalidSignatureError extends DomainError {
  constructor(message: string) {
    super(message, 'invalid_signature');
  }
}

/** The platform could not be asked, so nothing is known: timeout, 5xx, limit, bot wall. Try again later. */
export class PlatformUnavailableError extends DomainError {
  /** Seconds after which the platform itself asked to be tried again, when it said so. */
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

/** Too many requests of this kind wait here already; the same one may succeed soon: answered with 503. */
export class OverloadedError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 'overloaded', options);
  }
}

/** What was asked for cannot be answered now, for a reason that is not load: answered with 503. */
export class UnavailableError extends DomainError {
  /** Seconds after which it may be answered, where that can be told. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, code: string, options: { retryAfterSeconds?: number } = {}) {
    super(message, code);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Something that was asked for by name does not exist: answered with 404. */
export class NotFoundError extends DomainError {
  /** Seconds after which it may be there, where that can be told. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, code: string, options: { retryAfterSeconds?: number } = {}) {
    super(message, code);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** `GET /v1/proof/exists`: the message says whether the Avatar or the identity under it is unknown. */
export class ProofNotFoundError extends NotFoundError {}
