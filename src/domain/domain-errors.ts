/*
 * The errors of a request that the service expects; those that packages throw too are in `@signet/verify/errors` and
 * `@signet/look`. Only `http/domain-error.filter.ts` knows which status each kind becomes.
 */
import { type ErrorCode, type ErrorFacts, SignetError } from '@signet/verify/errors';

/** An error of the service alone. */
export abstract class DomainError extends SignetError {
  constructor(message: string, code: ErrorCode, facts: Partial<ErrorFacts> = {}) {
    super(message, { ...facts, code });
    this.name = new.target.name;
  }
}

/** A well-formed request that could not be proved or is not allowed in the current state. */
export class ProofRejectedError extends DomainError {
  constructor(message: string, code: ErrorCode = 'proof_rejected', options?: ErrorOptions) {
    super(message, code, options);
  }
}

/** The request exceeds a limit that a setting of this server makes; the message names the limit and the value. */
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

/** A record with this uuid is already stored. */
export class AlreadyRecordedError extends DomainError {
  constructor(uuid: string) {
    super(`The payload ${uuid} was already submitted and is recorded.`, 'already_recorded');
  }
}

/** Too many requests of this kind wait already; the same request may succeed soon. Answered with 503. */
export class OverloadedError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 'overloaded', options);
  }
}

/** The request cannot be answered now, for a reason that is not load. Answered with 503. */
export class UnavailableError extends DomainError {}

/** The requested thing does not exist. Answered with 404. */
export class NotFoundError extends DomainError {}
