/** Why a passkey gave no key. */
export type PasskeyProblem = 'cancelled' | 'no_prf' | 'other_key' | 'failed';

/** A passkey gave no key, so nothing was signed. */
export class PasskeyError extends Error {
  constructor(
    readonly code: PasskeyProblem,
    cause?: unknown,
  ) {
    super(`The passkey gave no key (${code}).`, { cause });
  }
}
