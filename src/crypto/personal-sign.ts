/** personal_sign (EIP-191 version 0x45): how Avatars and Ethereum wallets sign a text. */
import { recoverPublicKey } from './ecdsa.js';
import { encodeHex } from './encoding.js';
import { keccak256 } from './hashing.js';

/**
 * The 32 bytes that are signed: keccak-256 over the prefix, the length of the text in UTF-8 bytes as decimal digits,
 * and the text. Half a surrogate pair counts as U+FFFD, as in every UTF-8 encoder; texts of ours never hold one
 * (`canonicalJson` refuses it).
 */
export function personalDigest(message: string): Uint8Array {
  return keccak256(Buffer.from(`\x19Ethereum Signed Message:\n${Buffer.byteLength(message)}${message}`));
}

/**
 * The compressed key (`0x` and 66 lowercase hex digits) that signed the text, or null. For the accepted signature forms
 * see `parseSignature`.
 */
export function recoverPersonalSigner(message: string, signature: Uint8Array): string | null {
  const key = recoverPublicKey(personalDigest(message), signature);
  return key && `0x${encodeHex(key)}`;
}

/** True if the owner of the compressed key (`0x` and 66 lowercase hex digits) signed exactly this text. */
export function isPersonalSignature(message: string, signature: Uint8Array, compressedKey: string): boolean {
  return recoverPersonalSigner(message, signature) === compressedKey;
}
