import { ed25519 } from '@noble/curves/ed25519.js';
import type { Ed25519 } from './curves.js';

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
