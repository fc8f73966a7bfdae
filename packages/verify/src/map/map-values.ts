/** What the map says of an Avatar, of an identity, and of an Avatar that holds an identity. */
import { canonicalJson } from '../text/canonical-json.js';
import { isObject } from '../text/signed-text.js';

/** What an Avatar has signed. Numbers of entries count from 0. */
export interface AvatarState {
  /** The entry of its newest link; null without links. */
  link: number | null;
  /** How many links it has. */
  links: number;
  /** The entry of its newest patch; null without patches. */
  patch: number | null;
  /** How many patches it has. */
  patches: number;
  /**
   * Of any other kind of which it has entries, `<kind>`: the newest one, and `<kind>s`: how many. Only where there is
   * one: see `isCountedKind`.
   */
  [kind: string]: number | null;
}

/** The Avatars that hold an identity. An identity that no Avatar holds is not in the map. */
export interface IdentityState {
  /** How many they are. */
  holders: number;
  /** The root of the tree of holders, 64 hex digits. */
  root: string;
}

/** One Avatar that holds an identity. */
export interface HolderState {
  /** The entry of the link that made the binding. */
  link: number;
}

/**
 * Whether entries of a kind that this version does not know count for the Avatar that they name: kinds of 2 to 16 small
 * letters. Kinds that end with `s`, and `patch`, are none, so that no member of a value has two meanings.
 */
export function isCountedKind(kind: string): boolean {
  return /^[a-z]{1,15}[a-rt-z]$/.test(kind) && !['link', 'kv', 'patch', 'map'].includes(kind);
}

/**
 * What an Avatar has signed before its first entry. Links and patches are counted also where there are none, as they
 * were by the first version; records of further kinds only where there are some, so that values of before stay.
 */
export const NOTHING: AvatarState = { link: null, links: 0, patch: null, patches: 0 };

/** Whether a value, which may be anything, is the state of an Avatar. */
export function isAvatarState(value: unknown): value is AvatarState {
  if (!isObject(value)) return false;
  const { link, links, patch, patches, ...more } = value;
  return (
    [links, patches].every(isCount) &&
    [link, patch].every((entry) => entry === null || isCount(entry)) &&
    // Of each kind that a later version counts: the newest entry, and how many.
    Object.entries(more).every(([name, number]) => isCount(number) && isMemberOfKind(name, more))
  );
}

function isMemberOfKind(name: string, members: object): boolean {
  const kind = name.endsWith('s') ? name.slice(0, -1) : name;
  return isCountedKind(kind) && Object.hasOwn(members, kind) && Object.hasOwn(members, `${kind}s`);
}

/** Whether a value is the number of an entry, or of several things. */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The entries that a value names by their numbers. */
export function entriesIn(value: AvatarState | IdentityState | HolderState): number[] {
  const isEntry = ([name, number]: [string, unknown]) => typeof number === 'number' && !name.endsWith('s');
  return Object.entries(value)
    .filter(isEntry)
    .map(([, entry]) => entry as number);
}

/** The state of an Avatar as a list, which is shorter as JSON: `more` has the members of further kinds. */
export type SavedState = [
  link: number | null,
  links: number,
  patch: number | null,
  patches: number,
  more?: { [member: string]: number },
];

export function saveState({ link, links, patch, patches, ...more }: AvatarState): SavedState {
  const others = Object.keys(more).length > 0 ? [more as { [member: string]: number }] : [];
  return [link, links, patch, patches, ...others] as SavedState;
}

export function loadState([link, links, patch, patches, more]: SavedState): AvatarState {
  return { link, links, patch, patches, ...more };
}

/** The text of a value, canonical JSON (RFC 8785); the SHA-256 of its UTF-8 bytes stands in the tree. */
export function valueText(value: AvatarState | IdentityState | HolderState): string {
  return canonicalJson({ ...value });
}
