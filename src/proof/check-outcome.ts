/**
 * The outcome of a check: the proof is valid or gone, or the check was impossible because the platform did not answer
 * or this server lacks a setting.
 */
export const CHECK_OUTCOMES = ['valid', 'gone', 'unavailable', 'misconfigured'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];
