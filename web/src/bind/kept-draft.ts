/** The draft that a person was working on. It holds no secret, and survives a reload of the page. */
import type { DraftState } from '@signet/sdk';

const STORED = 'signet-draft';

/** The draft that was kept, or null. */
export function keptDraft(): DraftState | null {
  try {
    const state = JSON.parse(localStorage.getItem(STORED) ?? 'null') as DraftState | null;
    return state?.version === 1 ? state : null;
  } catch {
    return null;
  }
}

/** Keeps a draft in place of the one before, or none. */
export function keepDraft(state: DraftState | null): void {
  try {
    if (state) localStorage.setItem(STORED, JSON.stringify(state));
    else localStorage.removeItem(STORED);
  } catch {
    // A browser may forbid storage; then a draft lasts as long as the page.
  }
}
