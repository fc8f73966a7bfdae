/**
 * Several accounts that are bound in one go, as this browser keeps them. Each link names the signature of the one
 * before it, so links are signed one by one, as each is recorded: one that fails is set aside, and none waits for it.
 */
import type { DraftState, RecordedLink } from '@signet/sdk';
import type { WantedBinding } from './wanted.js';

/** One account of the list. */
export interface SeveralItem extends WantedBinding {
  state: 'open' | 'aside' | 'done';
  /** What was signed and is not recorded yet. */
  draft: DraftState | null;
}

/** The list, and the place that is worked on; null where nothing is left to do, or all that is left was set aside. */
export interface Several {
  version: 1;
  /** The key that has signed something of it, compressed; null where nothing is signed. */
  avatar: string | null;
  items: SeveralItem[];
  at: number | null;
}

/** Changes the list as it is by then; null ends it. */
export type Change = (what: (now: Several) => Several | null) => void;

/** A list of accounts of which none is bound yet. */
export function severalOf(wanted: WantedBinding[]): Several {
  return { version: 1, avatar: null, items: wanted.map((one) => ({ ...one, state: 'open', draft: null })), at: 0 };
}

/**
 * With the draft of what is worked on; null takes it away, so that it is signed anew. A draft for another account,
 * which a wallet signed late, changes nothing.
 */
export function withDraft(several: Several, draft: DraftState | null): Several {
  if (draft && several.at !== placeOf(several, draft.platform)) return several;
  const avatar = draft?.avatar ?? several.avatar;
  return settled({ ...changed(several, several.at, { draft }), avatar });
}

/** One was recorded. Others that were signed name another link before them, so they are signed anew. */
export function withRecorded(several: Several, { platform, identity, avatar }: RecordedLink): Several {
  const place = placeOf(several, platform);
  const unsigned = { ...several, avatar, items: several.items.map((item) => ({ ...item, draft: null })) };
  const recorded = changed(unsigned, place, { platform, identity, state: 'done' });
  return place === several.at ? goneOn(recorded) : recorded;
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
  const left = settled({ ...several, items, at });
  return several.at === place ? goneOn({ ...left, at: place - 1 }) : left;
}

function changed(several: Several, place: number | null, change: Partial<SeveralItem>): Several {
  return { ...several, items: several.items.map((item, index) => (index === place ? { ...item, ...change } : item)) };
}

/** The list has no platform twice. */
function placeOf({ items }: Several, platform: string): number {
  return items.findIndex((item) => item.platform === platform);
}

/** The list is that of a key only while something is there that this key has signed. */
function settled(several: Several): Several {
  const isSigned = several.items.some(({ state, draft }) => state === 'done' || draft !== null);
  return isSigned ? several : { ...several, avatar: null };
}

/** The next one that is open, from here on and then from the first. */
function goneOn(several: Several): Several {
  const start = (several.at ?? -1) + 1;
  const places = several.items.map((_, index) => (start + index) % several.items.length);
  return { ...several, at: places.find((place) => several.items[place]!.state === 'open') ?? null };
}
