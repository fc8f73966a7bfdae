/**
 * Bytes to text and back: hex, Base64 (RFC 4648 section 4) and Base58 (Bitcoin alphabet). Bad text gives null, nothing
 * throws.
 */
import { base58 } from '@scure/base';

const HEX = /^(?:[0-9a-f]{2})*$/i; // whole bytes: pairs of hex digits

/**
 * Base58 costs the square of its length, so long text is refused unread. A signature of 64 bytes has at most 88
 * characters.
 */
const MAX_BASE58_CHARS = 256;

/** Reads pairs of hex digits in any letter case, without `0x`; null for anything else. */
export function decodeHex(text: string): Uint8Array | null {
  return HEX.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : null;
}

/** Lowercase hex without `0x`. */
export function encodeHex(bytes: Uint8Array): string {
  return viewOf(bytes).toString('hex');
}

/**
 * Reads Base64 strictly: standard alphabet, padded, no white space, no stray bits behind the last byte; null for
 * anything else. Node's decoder forgives all of these. Each byte string has exactly one strict spelling and Node's
 * encoder writes it, so the text is strict if and only if encoding the decoded bytes gives the text back. For
 * signatures this is faster than a decoder in JavaScript.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : null;
}

/** Standard Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return viewOf(bytes).toString('base64');
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

/** A Buffer over the same memory: Node's encoders are its methods. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
