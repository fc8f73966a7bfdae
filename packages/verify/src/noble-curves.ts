import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Curves, type Ed25519, hasKeyPrefix, type Secp256k1 } from './curves.js';

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

/**
 * RFC 8032 decoding (coordinates below the field prime, S below the group order), not the lenient rules that
 * blockchains share.
 */
const STRICT = { zip215: false };

/**
 * Node's own `crypto.verify` accepts forged signatures for keys of small order, such as the all-zero key of Solana's
 * System Program; this library refuses them.
 */
export const nobleEd25519: Ed25519 = {
  isUsablePublicKey(key) {
    try {
      return !ed25519.Point.fromBytes(key, STRICT.zip215).isSmallOrder();
    } catch {
      return false;
    }
  },
  verify(message, signature, key) {
    try {
      return ed25519.verify(signature, message, key, STRICT);
    } catch {
      return false;
    }
  },
};

/** `@noble/curves`: runs wherever JavaScript does. What is used when no curves are given. */
export const nobleCurves: Curves = { secp256k1: nobleSecp256k1, ed25519: nobleEd25519 };
