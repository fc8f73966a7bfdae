import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { equalBytes } from '../text/encoding.js';
import type { Ed25519, WithEd25519 } from './curves.js';

const { Point } = ed25519;
const GROUP_ORDER = Point.Fn.ORDER;

/**
 * Ed25519 (RFC 8032; docs/verify.md, section 5) by the equation without the cofactor, which OpenSSL and Go check too,
 * so that all verifiers say the same of a signature whose points have a part of small order. The verify function of the
 * library checks it with the cofactor (section 5.1.7 of the RFC allows both), and Node's own accepts forged signatures
 * for keys of small order, such as the all-zero key of Solana's System Program.
 */
export const nobleEd25519: Ed25519 = {
  isUsablePublicKey: (key) => usableKey(key) !== null,
  verify(message, signature, key) {
    const point = usableKey(key);
    if (!point || signature.length !== 64) return false;
    const [nonce, scalarBytes] = [signature.subarray(0, 32), signature.subarray(32)];
    const scalar = bytesToNumberLE(scalarBytes);
    if (scalar >= GROUP_ORDER) return false;
    const challenge = bytesToNumberLE(sha512(concatBytes(nonce, key, message))) % GROUP_ORDER;
    const expected = Point.BASE.multiplyUnsafe(scalar).subtract(point.multiplyUnsafe(challenge));
    return equalBytes(expected.toBytes(), nonce);
  },
};

/** The Ed25519 of an option `curves`. */
export function ed25519Of({ curves }: WithEd25519): Ed25519 {
  return curves?.ed25519 ?? nobleEd25519;
}

/** A point in its one canonical encoding, which is not of small order; null for all other bytes. */
function usableKey(key: Uint8Array): InstanceType<typeof Point> | null {
  try {
    const point = Point.fromBytes(key);
    return point.isSmallOrder() ? null : point;
  } catch {
    return null;
  }
}
