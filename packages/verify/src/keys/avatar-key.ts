import type { Secp256k1, WithCurves } from './curves.js';
import { nobleCurves } from './noble-curves.js';
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
 * Reads the public key of an Avatar: `0x` and 66 or 130 hex digits in any letter case. Two spellings of one key are one
 * Avatar.
 * @returns the key in its two spellings, or why the text is not one
 */
export function readAvatarKey(text: string, { curves = nobleCurves }: WithCurves = {}): AvatarKeyText | KeyProblem {
  return readKeyBy(text, curves.secp256k1);
}

/** Reads the public key of an Avatar as `readAvatarKey` does; null if the text is not one. */
export function findAvatarKey(text: string, { curves = nobleCurves }: WithCurves = {}): AvatarKeyText | null {
  const key = readKeyBy(text, curves.secp256k1);
  return typeof key === 'string' ? null : key;
}

/** `readAvatarKey` by a given curve: a badge does without the large library. */
export function readKeyBy(text: string, secp256k1: Secp256k1): AvatarKeyText | KeyProblem {
  if (typeof text !== 'string' || !AVATAR_KEY_PATTERN.test(text))
    return 'expected 0x and 66 or 130 hex digits (33 or 65 bytes)';
  const point = secp256k1.parsePublicKey(decodeHex(text.slice(2))!);
  if (!point) return 'this is not a point on the secp256k1 curve';
  return { compressed: `0x${encodeHex(point.compressed)}`, uncompressed: `0x${encodeHex(point.uncompressed)}` };
}
