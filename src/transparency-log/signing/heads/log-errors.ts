import { NotFoundError, UnavailableError } from '../../../domain/domain-errors.js';
import type { RecordKinds } from '../../../ledger/record-kind.js';

/** Seconds after which an entry that waits is in the log, as a rule. */
const NEXT_HEAD_SECONDS = 1;
/** On a new database the first tree head comes within a second; with millions of old records it takes an hour. */
const FIRST_HEAD_SECONDS = 5;

/** The record is there, and its entry waits for the next tree head. */
export function notLoggedYet(): NotFoundError {
  const message = 'This record waits for the next tree head of the log; ask again in a moment.';
  return new NotFoundError(message, 'not_yet_logged', { retryAfterSeconds: NEXT_HEAD_SECONDS });
}

/** There is no such record of any of these kinds. */
export function recordNotFound({ all }: RecordKinds): NotFoundError {
  const none = all.map(({ item }) => `no ${item}`).join(' and ');
  return new NotFoundError(`N${none.slice(1)} with this uuid or number is recorded.`, 'record_not_found');
}

/** The log has signed nothing yet, because it still takes in what was recorded before it. */
export function noHeadYet(): UnavailableError {
  const message = 'The log still takes in what was recorded before it, and has signed no tree head yet.';
  return new UnavailableError(message, 'log_catching_up', { retryAfterSeconds: FIRST_HEAD_SECONDS });
}

/** The newest tree head does not end with a map: that is still computed, at first or anew; or the log left it out. */
export function noMapYet(): UnavailableError {
  const message = 'The newest tree head of the log does not commit to a map that is computed.';
  return new UnavailableError(message, 'map_catching_up', { retryAfterSeconds: FIRST_HEAD_SECONDS });
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
