/**
 * Bytes to text and back: hex, Base64 (RFC 4648 section 4), Base58 (Bitcoin alphabet) and UTF-8. Bad text gives null,
 * nothing throws.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base58, base64 } from '@scure/base';

const HEX = /^(?:[0-9a-f]{2})*$/i; // whole bytes: pairs of hex digits

/**
 * Base58 costs the square of its length, so long text is refused unread. A signature of 64 bytes has at most 88
 * characters.
 */
const MAX_BASE58_CHARS = 256;

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text; half a surrogate pair becomes U+FFFD, as in every UTF-8 encoder. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Reads pairs of hex digits in any letter case, without `0x`; null for anything else. */
export function decodeHex(text: string): Uint8Array | null {
  return HEX.test(text) ? hexToBytes(text) : null;
}

/** Lowercase hex without `0x`. */
export function encodeHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/**
 * Reads Base64 strictly: standard alphabet, padded, no white space, no stray bits behind the last byte; null for
 * anything else.
 */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    return base64.decode(text);
  } catch {
    return null;
  }
}

/** Standard Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/**
 * Reads Base58, in which every byte string has one spelling; null for another character or for more than 256
 * characters.
 */
export function decodeBase58(text: string): Uint8Array | null {
  if (text.length > MAX_BASE58_CHARS) return null;
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}

/** Base58 of a short byte string (keys and signatures: the cost is the square of the length). */
export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** True for the same bytes. Not in constant time: for public values only. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}
