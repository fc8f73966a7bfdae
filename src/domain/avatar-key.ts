import { LRUCache } from 'lru-cache';
import { type Hex, readAvatarKey } from '@signet/verify';
import { InvalidRequestError } from '@signet/look';
import { serviceCurves } from '../crypto/ecdsa.js';

/**
 * The form of an Avatar key in the description of the API: a compressed point begins with 02 or 03, an uncompressed one
 * with 04. Not every such text is a point.
 */
export const AVATAR_KEY_FORM = '^0x(?:0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$';
/** `AVATAR_KEY_FORM` of a key that may lack `0x`. */
export const LOOSE_KEY_FORM = AVATAR_KEY_FORM.replace('0x', '(?:0x)?');

/** A key with or without `0x`, as the two POSTs of the key-value service accept it (docs/design/decisions.md 2). */
const LOOSE_KEY_PATTERN = /^(?:0x)?(?:[0-9a-fA-F]{66}|[0-9a-fA-F]{130})$/;

/** Keys that are remembered; each takes less than a kilobyte. */
const MAX_PARSED = 2000;

/** Keys by their texts: a client that asks for a payload submits it soon, and parsing a key takes a square root. */
const parsed = new LRUCache<string, AvatarKey>({ max: MAX_PARSED });

/**
 * The public key of an Avatar: secp256k1, 33 bytes compressed or 65 bytes uncompressed (contract, Avatar public key).
 * Two spellings of one key are one Avatar, so everything inside compares and stores `compressed`.
 */
export class AvatarKey {
  private constructor(
    /** `0x` and 66 lowercase hex digits: how the proof service answers and what is stored. */
    readonly compressed: Hex,
    /** `0x` and 130 lowercase hex digits: how the key-value service answers. */
    readonly uncompressed: Hex,
  ) {}

  /**
   * Parses `0x` and 66 or 130 hex digits in any letter case.
   * @throws InvalidRequestError (`invalid_public_key`) for another form or a point that is not on the curve.
   */
  static parse(text: string): AvatarKey {
    const known = parsed.get(text);
    if (known) return known;
    const key = readAvatarKey(text, { curves: serviceCurves });
    if (typeof key === 'string') throw invalidKey(key);
    const avatar = new AvatarKey(key.compressed, key.uncompressed);
    parsed.set(text, avatar);
    return avatar;
  }

  /** Like `parse`, but `0x` may be missing (docs/design/decisions.md 2: the two POSTs of the key-value service). */
  static parseLoose(text: string): AvatarKey {
    const isBare = LOOSE_KEY_PATTERN.test(text) && !text.startsWith('0x');
    return AvatarKey.parse(isBare ? `0x${text}` : text);
  }

  /** The key, or null where `parse` throws. */
  static find(text: string): AvatarKey | null {
    try {
      return AvatarKey.parse(text);
    } catch {
      return null;
    }
  }
}

function invalidKey(why: string): InvalidRequestError {
  return new InvalidRequestError(`Not an Avatar public key: ${why}.`, 'invalid_public_key');
}

/** A compressed key as texts for people have it, such as `0x028c3c…b1e3`. */
export function shortKey(avatar: string): string {
  return `${avatar.slice(0, 8)}…${avatar.slice(-4)}`;
}
