import { createPublicKey, verify } from 'node:crypto';
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
