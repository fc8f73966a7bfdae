/** Ethereum addresses (Yellow Paper, appendix F) and their letter-case checksum (ERC-55). */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from './avatar-key.js';
import type { Secp256k1, WithCurves } from './curves.js';
import { nobleCurves } from './noble-curves.js';
import { decodeHex, encodeHex, utf8 } from '../text/encoding.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/; // 20 bytes of hex behind 0x
const ADDRESS_BYTES = 20;

/**
 * The lowercase Ethereum address of a key, which is given as `0x` and the 66 hex digits of its compressed form.
 * @throws TypeError if the text is not such a key
 */
export function addressOfKey(compressedKey: string, { curves = nobleCurves }: WithCurves = {}): Hex {
  return addressBy(compressedKey, curves.secp256k1);
}

/** `addressOfKey` by a given curve: a badge does without the large library. */
export function addressBy(compressedKey: string, secp256k1: Secp256k1): Hex {
  const bytes = decodeHex(compressedKey.slice(2));
  const key = bytes && secp256k1.parsePublicKey(bytes);
  if (!key) throw new TypeError('addressOfKey expects a secp256k1 key in hex');
  return `0x${encodeHex(keccak_256(key.uncompressed.subarray(1)).subarray(-ADDRESS_BYTES))}`;
}

/**
 * The address in the letter case of ERC-55: a digit is a capital where the matching digit of keccak-256 of the
 * lowercase text is 8 or more.
 * @throws TypeError if the text is not `0x` and 40 hex digits.
 */
export function toChecksumAddress(address: string): string {
  if (!ADDRESS.test(address)) throw new TypeError('toChecksumAddress expects 0x and 40 hex digits');
  const digits = address.slice(2).toLowerCase();
  const hash = encodeHex(keccak_256(utf8(digits)));
  return `0x${digits.replace(/[a-f]/g, (letter, at: number) => (hash[at]! >= '8' ? letter.toUpperCase() : letter))}`;
}

/**
 * True for an address (`0x` and 40 hex digits) in ERC-55 letter case, or all in lower or all in upper case, which
 * carries no checksum.
 */
export function hasValidChecksum(address: string): boolean {
  if (!ADDRESS.test(address)) return false;
  const digits = address.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === toChecksumAddress(address);
}
