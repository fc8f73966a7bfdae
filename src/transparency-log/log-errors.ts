import { NotFoundError, UnavailableError } from '../domain/domain-errors.js';

/** Seconds after which an entry that waits is in the log, as a rule. */
const NEXT_HEAD_SECONDS = 1;
/** On a new database the first tree head comes within a second; with millions of old records it takes an hour. */
const FIRST_HEAD_SECONDS = 5;

/** The link or patch is recorded, and its entry waits for the next tree head. */
export class NotLoggedYetError extends NotFoundError {
  constructor() {
    super('This record waits for the next tree head of the log; ask again in a moment.', 'not_yet_logged', {
      retryAfterSeconds: NEXT_HEAD_SECONDS,
    });
  }
}

/** There is no such link or patch. */
export class RecordNotFoundError extends NotFoundError {
  constructor() {
    super('No link and no patch of this name is recorded.', 'record_not_found');
  }
}

/** The text of the link or patch was erased, so that nothing more can be promised of it. */
export class RecordErasedError extends NotFoundError {
  constructor() {
    super('The text of this record was erased; its proof is that of the erasure.', 'record_erased');
  }
}

/** The log has signed nothing yet, because it still takes in what was recorded before it. */
export class NoHeadYetError extends UnavailableError {
  constructor() {
    super('The log still takes in what was recorded before it, and has signed no tree head yet.', 'log_catching_up', {
      retryAfterSeconds: FIRST_HEAD_SECONDS,
    });
  }
}

/** The log is older than its map, which is still computed from the entries that are there. */
export class NoMapYetError extends UnavailableError {
  constructor() {
    super('The map takes in what was in the log before it, and no tree head commits to it yet.', 'map_catching_up', {
      retryAfterSeconds: FIRST_HEAD_SECONDS,
    });
  }
}

/** No tree head meets the policy of the log yet, or it has no policy that asks for cosignatures. */
export class NotCosignedError extends NotFoundError {
  constructor() {
    super('No tree head of this log has the cosignatures of enough witnesses of a policy.', 'not_cosigned');
  }
}

/** Nothing may be signed: it could contradict what was signed before. The message says why, for the operator. */
export class LogRefusedError extends Error {
  constructor(
    message: string,
    /** Whether no server may go on until an operator has done something. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

/** The first thing that is not as it was signed; the message names it, for the operator. */
export class LogFinding extends Error {}
