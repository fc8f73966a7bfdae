/** personal_sign (EIP-191 version 0x45): how Avatars and Ethereum wallets sign a text. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { Hex } from '../keys/avatar-key.js';
import type { Secp256k1, WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { encodeHex, utf8 } from '../text/encoding.js';
import { recoverBy } from './signature.js';

/**
 * The 32 bytes that are signed: keccak-256 over the prefix, the length of the text in UTF-8 bytes as decimal digits,
 * and the text. Half a surrogate pair counts as U+FFFD, as in every UTF-8 encoder; signed texts never hold one
 * (`canonicalJson` refuses it).
 */
export function personalDigest(message: string): Uint8Array {
  const bytes = utf8(message);
  return keccak_256(concatBytes(utf8(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes));
}

/**
 * The compressed key (`0x` and 66 lowercase hex digits) that signed the text with personal_sign, or null. Signatures
 * have the forms that `parseSignature` reads.
 */
export function recoverPersonalSigner(
  message: string,
  signature: Uint8Array,
  { curves = nobleCurves }: WithCurves = {},
): Hex | null {
  return personalSignerBy(message, signature, curves.secp256k1);
}

/** `recoverPersonalSigner` by a given curve: a badge does without the large library. */
export function personalSignerBy(message: string, signature: Uint8Array, secp256k1: Secp256k1): Hex | null {
  const digest = () => personalDigest(message);
  const recover = () => recoverBy(secp256k1.digested?.(message, digest) ?? digest(), signature, secp256k1);
  const key = secp256k1.recovered?.(message, signature, recover) ?? recover();
  return key && `0x${encodeHex(key)}`;
}

/**
 * Whether the owner of the compressed key (`0x` and 66 lowercase hex digits) signed exactly this text with
 * personal_sign.
 */
export function isPersonalSignature(
  message: string,
  signature: Uint8Array,
  compressedKey: string,
  { curves = nobleCurves }: WithCurves = {},
): boolean {
  return personalSignerBy(message, signature, curves.secp256k1) === compressedKey;
}
