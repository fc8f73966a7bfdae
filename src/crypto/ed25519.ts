import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { type Ed25519, nobleEd25519 } from '@signet/verify';

/**
 * Ed25519 by OpenSSL, in a seventh of the processor time of `nobleEd25519`. OpenSSL accepts forged signatures for keys
 * of small order, so `nobleEd25519` checks the key; both check the equation without the cofactor.
 */
export const nativeEd25519: Ed25519 = {
  isUsablePublicKey: nobleEd25519.isUsablePublicKey,
  verify(message, signature, key) {
    if (signature.length !== 64 || !nobleEd25519.isUsablePublicKey(key)) return false;
    const x = Buffer.from(key).toString('base64url');
    return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature);
  },
};

/** Signs bytes (RFC 8032): 64 bytes. */
export type Ed25519Signer = (message: Uint8Array) => Uint8Array;

/** A signer by OpenSSL. @param seed the private key of RFC 8032, 32 bytes @param publicKey of that seed, 32 bytes */
export function nativeSigner(seed: Uint8Array, publicKey: Uint8Array): Ed25519Signer {
  const [d, x] = [seed, publicKey].map((bytes) => Buffer.from(bytes).toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: d!, x: x! }, format: 'jwk' });
  return (message) => sign(null, message, key);
}
