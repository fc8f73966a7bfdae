import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Curves, hasKeyPrefix, type Secp256k1 } from './curves.js';
import { nobleBip340 } from './noble-bip340.js';
import { nobleEd25519 } from './noble-ed25519.js';

const nobleSecp256k1: Secp256k1 = {
  parsePublicKey(bytes) {
    if (!hasKeyPrefix(bytes)) return null;
    try {
      const point = secp256k1.Point.fromBytes(bytes);
      return { compressed: point.toBytes(true), uncompressed: point.toBytes(false) };
    } catch {
      return null;
    }
  },
  recover(digest, rs, recovery) {
    try {
      const signature = secp256k1.Signature.fromBytes(rs, 'compact').addRecoveryBit(recovery);
      return signature.recoverPublicKey(digest).toBytes(true);
    } catch {
      return null;
    }
  },
};

/** `@noble/curves`: runs wherever JavaScript does. What is used when no curves are given. */
export const nobleCurves: Curves = { secp256k1: nobleSecp256k1, ed25519: nobleEd25519, bip340: nobleBip340 };
