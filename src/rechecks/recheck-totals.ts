import type { CheckOutcome } from '../proof/proof-check.entity.js';

/** How many rechecks ended how. */
export type RecheckTotals = Record<CheckOutcome | 'superseded' | 'postponed', number>;

export function noTotals(): RecheckTotals {
  return { valid: 0, gone: 0, unavailable: 0, misconfigured: 0, superseded: 0, postponed: 0 };
}
