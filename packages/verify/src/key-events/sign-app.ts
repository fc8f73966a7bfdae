/** Private keys of apps, for programs that hold one. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { signPersonal } from '../sign.js';
import { encodeBase64, encodeHex, utf8 } from '../text/encoding.js';
import type { AppKeyAlgorithm } from './app-key.js';

/** What signs as a key of an app. */
export interface AppPrivateKey {
  /** The name of the key: `<algorithm>:0x<hex>`. */
  key: string;
  /** Standard Base64 of the signature, as `signature` of a patch. */
  sign: (text: string) => string;
}

/**
 * The key of an app of a private key of 32 bytes: of secp256k1 and P-256 a number, of Ed25519 the seed (RFC 8032).
 * @throws Error for bytes that are not a private key
 */
export function appKeyOf(algorithm: AppKeyAlgorithm, privateKey: Uint8Array): AppPrivateKey {
  const named = (point: Uint8Array) => `${algorithm}:0x${encodeHex(point)}`;
  if (algorithm === 'ed25519') {
    const sign = (text: string) => encodeBase64(ed25519.sign(utf8(text), privateKey));
    return { key: named(ed25519.getPublicKey(privateKey)), sign };
  }
  if (algorithm === 'secp256k1') {
    return { key: named(secp256k1.getPublicKey(privateKey, true)), sign: (text) => signPersonal(text, privateKey) };
  }
  const sign = (text: string) => encodeBase64(p256.sign(utf8(text), privateKey, { prehash: true, lowS: true }));
  return { key: named(p256.getPublicKey(privateKey, true)), sign };
}
