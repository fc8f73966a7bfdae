/** Ed25519 (RFC 8032), strict: how Solana wallets, logs and witnesses sign. */
import { createPublicKey, verify } from 'node:crypto';
import { type Ed25519, nobleEd25519 } from '@signet/verify';

export const { isUsablePublicKey, verify: verifyEd25519 } = nobleEd25519;

/**
 * Verifies with OpenSSL in a seventh of the processor time of `nobleEd25519`. OpenSSL accepts forged signatures for
 * keys of small order, so `nobleEd25519` checks the key. OpenSSL verifies without the cofactor, `nobleEd25519` with it
 * (RFC 8032 section 5.1.7 allows both): a signer can make signatures with a part of small order, which only the latter
 * accepts. Every signature that OpenSSL accepts is valid for both.
 */
export const nativeEd25519: Ed25519 = {
  isUsablePublicKey,
  verify(message, signature, key) {
    if (signature.length !== 64 || !isUsablePublicKey(key)) return false;
    const x = Buffer.from(key).toString('base64url');
    return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature);
  },
};
