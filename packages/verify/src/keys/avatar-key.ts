import type { Secp256k1 } from './curves.js';
import { decodeHex, encodeHex } from '../text/encoding.js';

/** 33 or 65 bytes of hex in any letter case behind `0x`, which has one spelling. */
export const AVATAR_KEY_PATTERN = /^0x(?:[0-9a-fA-F]{66}|[0-9a-fA-F]{130})$/;

/** Bytes as text: `0x` and hex digits. */
export type Hex = `0x${string}`;

/** The public key of an Avatar in its two spellings: lowercase hex behind `0x`, of 33 and of 65 bytes. */
export interface AvatarKeyText {
  compressed: Hex;
  uncompressed: Hex;
}

/** Why a text is not an Avatar key, as part of a sentence for people. */
export type KeyProblem =
  'expected 0x and 66 or 130 hex digits (33 or 65 bytes)' | 'this is not a point on the secp256k1 curve';

/**
 * Reads `0x` and 66 or 130 hex digits in any letter case (docs/design/decisions.md 2). Two spellings of one key are one
 * Avatar.
 * @returns the key, or why the text is not one
 */
export function readAvatarKey(text: string, secp256k1: Secp256k1): AvatarKeyText | KeyProblem {
  if (!AVATAR_KEY_PATTERN.test(text)) return 'expected 0x and 66 or 130 hex digits (33 or 65 bytes)';
  const point = secp256k1.parsePublicKey(decodeHex(text.slice(2))!);
  if (!point) return 'this is not a point on the secp256k1 curve';
  return { compressed: `0x${encodeHex(point.compressed)}`, uncompressed: `0x${encodeHex(point.uncompressed)}` };
}

/** The key, or null where `readAvatarKey` names a problem. */
export function findAvatarKey(text: string, secp256k1: Secp256k1): AvatarKeyText | null {
  const key = readAvatarKey(text, secp256k1);
  return typeof key === 'string' ? null : key;
}
