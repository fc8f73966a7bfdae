/** What the map says of an Avatar, of an identity, and of an Avatar that holds an identity. */
import { canonicalJson } from '../text/canonical-json.js';

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

/** The text of a value, canonical JSON (RFC 8785); the SHA-256 of its UTF-8 bytes stands in the tree. */
export function valueText(value: AvatarState | IdentityState | HolderState): string {
  return canonicalJson({ ...value });
}
