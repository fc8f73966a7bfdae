import type { ServerCode } from './server-codes.js';

/**
 * The codes of the packages themselves, where no server said anything. `docs/guide/app/errors.md` has what to do for
 * each.
 */
export type ClientCode =
  | 'unreachable'
  | 'timeout'
  | 'invalid_answer'
  | 'answer_too_large'
  | 'outcome_unknown'
  | 'wrong_usage'
  | 'verification_failed'
  | 'not_shown_here'
  | 'not_seen'
  | 'no_quorum'
  | 'incomplete'
  | 'log_fork'
  | 'receipt_broken'
  | 'sign_in_refused'
  | 'wrong_signer'
  | 'no_account'
  | 'log_ended'
  | 'no_log'
  | 'no_map'
  | 'invalid_policy'
  | 'invalid_observers'
  | 'not_a_text'
  | 'not_a_key_file'
  | 'other_key_file'
  | 'wrong_passphrase'
  | 'other_key';

/** Every `code` of an error of these packages: those of answers of a server, and those of the packages themselves. */
export type ErrorCode = ServerCode | ClientCode;
