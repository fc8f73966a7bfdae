/**
 * Several accounts that are bound in one go, as this browser keeps them. Each link names the signature of the one
 * before it, so links are signed one by one, as each is recorded: one that fails is set aside, and none waits for it.
 */
import type { DraftState, RecordedLink } from '@signet/sdk';
import type { WantedBinding } from './sign-step.js';

/** One account of the list. */
export interface SeveralItem extends WantedBinding {
  state: 'open' | 'aside' | 'done';
  /** What was signed and is not recorded yet. */
  draft: DraftState | null;
}

/** The list, and the place that is worked on; null where nothing is left to do, or all that is left was set aside. */
export interface Several {
  version: 1;
  /** The key that signed the first of them, compressed; null before. */
  avatar: string | null;
  items: SeveralItem[];
  at: number | null;
}

/** Changes the list as it is by then; null ends it. */
export type Change = (what: (now: Several) => Several | null) => void;

const STORED = 'signet-several';

/** The list that was kept, or null. */
export function keptSeveral(): Several | null {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as Several | null;
    return kept?.version === 1 && kept.items.length > 0 ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps a list in place of the one before, or none. It holds no secret. */
export function keepSeveral(several: Several | null): void {
  try {
    if (several) localStorage.setItem(STORED, JSON.stringify(several));
    else localStorage.removeItem(STORED);
  } catch {
    // A browser may forbid storage; then the list lasts as long as the page.
  }
}

/** A list of accounts of which none is bound yet. */
export function severalOf(wanted: WantedBinding[]): Several {
  return { version: 1, avatar: null, items: wanted.map((one) => ({ ...one, state: 'open', draft: null })), at: 0 };
}

/** With the draft of what is worked on; null takes it away, so that it is signed anew. */
export function withDraft(several: Several, draft: DraftState | null): Several {
  const avatar = draft?.avatar ?? several.avatar;
  return { ...changed(several, several.at, { draft }), avatar };
}

/** What is worked on was recorded. Others that were signed name another link before them, so they are signed anew. */
export function withRecorded(several: Several, { platform, identity, avatar }: RecordedLink): Several {
  const unsigned = { ...several, avatar, items: several.items.map((item) => ({ ...item, draft: null })) };
  return goneOn(changed(unsigned, several.at, { platform, identity, state: 'done' }));
}

/** What is worked on is left for later. What was signed of it is kept: it holds until another link is recorded. */
export function withSetAside(several: Several): Several {
  return goneOn(changed(several, several.at, { state: 'aside' }));
}

/** Work goes on with this one. */
export function takenUp(several: Several, place: number): Several {
  return { ...changed(several, place, { state: 'open' }), at: place };
}

/** Without an account that is not bound. Null where none is left. */
export function without(several: Several, place: number): Several | null {
  const items = several.items.filter((_, index) => index !== place);
  if (items.length === 0) return null;
  const at = several.at === null || several.at < place ? several.at : several.at - 1;
  const left = { ...several, items, at };
  return several.at === place ? goneOn({ ...left, at: place - 1 }) : left;
}

function changed(several: Several, place: number | null, change: Partial<SeveralItem>): Several {
  return { ...several, items: several.items.map((item, index) => (index === place ? { ...item, ...change } : item)) };
}

/** The next one that is open, from here on and then from the first. */
function goneOn(several: Several): Several {
  const start = (several.at ?? -1) + 1;
  const places = several.items.map((_, index) => (start + index) % several.items.length);
  return { ...several, at: places.find((place) => several.items[place]!.state === 'open') ?? null };
}
