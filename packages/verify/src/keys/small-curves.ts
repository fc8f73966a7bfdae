import { Point, recoverPublicKey } from '@noble/secp256k1';
import { type Curves, hasKeyPrefix } from './curves.js';

/** `@noble/secp256k1`: a third of the size of `@noble/curves`, for badges. It has no ed25519. */
export const smallCurves: Curves = {
  secp256k1: {
    parsePublicKey(bytes) {
      if (!hasKeyPrefix(bytes)) return null;
      try {
        const point = Point.fromBytes(bytes);
        return { compressed: point.toBytes(true), uncompressed: point.toBytes(false) };
      } catch {
        return null;
      }
    },
    recover(digest, rs, recovery) {
      try {
        return recoverPublicKey(Uint8Array.of(recovery, ...rs), digest, { prehash: false });
      } catch {
        return null;
      }
    },
  },
  ed25519: null,
};
