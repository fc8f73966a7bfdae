/**
 * The rules of Signet: no input, no output, nothing that only Node has. Functions that need a curve take it as their
 * last parameter; without one they use `@noble/curves`.
 */
import type { AvatarKeyText } from './avatar-key.js';
import * as avatarKey from './avatar-key.js';
import type { Secp256k1 } from './curves.js';
import * as ethereumAddress from './ethereum-address.js';
import { nobleCurves } from './noble-curves.js';
import * as personalSign from './personal-sign.js';

export { canonicalJson, depthOf, exceedsDepth } from './canonical-json.js';
export type { Curves, Ed25519, PublicKey, Secp256k1 } from './curves.js';
export { hasKeyPrefix } from './curves.js';
export { decodeBase58, decodeBase64, decodeHex, encodeBase58, encodeBase64, encodeHex, utf8 } from './encoding.js';
export type { AvatarKeyText, KeyProblem } from './avatar-key.js';
export { hasValidChecksum, toChecksumAddress } from './ethereum-address.js';
export { nobleCurves, nobleEd25519 } from './noble-curves.js';
export { personalDigest } from './personal-sign.js';
export type { Signature } from './signature.js';
export { parseSignature, recoverPublicKey } from './signature.js';

/** See `readAvatarKey` of avatar-key.ts: the key in its two spellings, or why the text is none. */
export function readAvatarKey(text: string, secp256k1: Secp256k1 = nobleCurves.secp256k1) {
  return avatarKey.readAvatarKey(text, secp256k1);
}

/** The key in its two spellings, or null if the text is none. */
export function findAvatarKey(text: string, secp256k1: Secp256k1 = nobleCurves.secp256k1): AvatarKeyText | null {
  return avatarKey.findAvatarKey(text, secp256k1);
}

/**
 * The lowercase Ethereum address of a compressed key (`0x` and 66 hex digits).
 * @throws TypeError if the text is no such key
 */
export function addressOfKey(compressedKey: string, secp256k1: Secp256k1 = nobleCurves.secp256k1): string {
  return ethereumAddress.addressOfKey(compressedKey, secp256k1);
}

/** The compressed key that signed the text with personal_sign, or null. */
export function recoverPersonalSigner(
  message: string,
  signature: Uint8Array,
  secp256k1: Secp256k1 = nobleCurves.secp256k1,
): string | null {
  return personalSign.recoverPersonalSigner(message, signature, secp256k1);
}

/** True if the owner of the compressed key signed exactly this text with personal_sign. */
export function isPersonalSignature(
  message: string,
  signature: Uint8Array,
  compressedKey: string,
  secp256k1: Secp256k1 = nobleCurves.secp256k1,
): boolean {
  return personalSign.isPersonalSignature(message, signature, compressedKey, secp256k1);
}
