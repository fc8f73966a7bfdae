import { schnorr } from '@noble/curves/secp256k1.js';
import type { Bip340 } from './curves.js';

/** Schnorr signatures of BIP-340 by `@noble/curves`, which also refuses an s of 0. */
export const nobleBip340: Bip340 = {
  verify(message, signature, key) {
    return signature.length === 64 && key.length === 32 && schnorr.verify(signature, message, key);
  },
};
