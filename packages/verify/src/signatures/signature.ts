/** The forms of an ECDSA signature on the wire (docs/design/decisions.md 2, EIP-2098) and recovery of its key. */
import type { Secp256k1, WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';

/** The order n of the group, big-endian. */
const ORDER = Uint8Array.from(
  'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'.match(/../g)!.map((pair) => parseInt(pair, 16)),
);

/** What v may be: the parity, or that and 27. */
const V_VALUES = [0, 1, 27, 28];

/** A signature without its wire form: r and s (32 bytes each, big-endian) and the parity of the nonce point's y. */
export interface Signature {
  rs: Uint8Array;
  recovery: 0 | 1;
}

/**
 * Reads a signature of 65 bytes (r, s, v with v in 0, 1, 27, 28) or 64 bytes (EIP-2098: the parity is the top bit of
 * s). r and s must lie in 1..n-1; s above n/2 is allowed, because common signers produce it. Null for anything else.
 */
export function parseSignature(bytes: Uint8Array): Signature | null {
  const signature = bytes.length === 64 ? readCompact(bytes) : readWithRecoveryByte(bytes);
  return signature && isScalar(signature.rs, 0) && isScalar(signature.rs, 32) ? signature : null;
}

/**
 * The 33-byte key that signed the 32-byte digest, or null if the signature is malformed or no key could have made it.
 */
export function recoverPublicKey(
  digest: Uint8Array,
  signature: Uint8Array,
  { curves = nobleCurves }: WithCurves = {},
): Uint8Array | null {
  return recoverBy(digest, signature, curves.secp256k1);
}

/** `recoverPublicKey` by a given curve: a badge does without the large library. */
export function recoverBy(digest: Uint8Array, signature: Uint8Array, secp256k1: Secp256k1): Uint8Array | null {
  const parsed = parseSignature(signature);
  return parsed && secp256k1.recover(digest, parsed.rs, parsed.recovery);
}

function readWithRecoveryByte(bytes: Uint8Array): Signature | null {
  const place = bytes.length === 65 ? V_VALUES.indexOf(bytes[64]!) : -1;
  return place < 0 ? null : { rs: bytes.subarray(0, 64), recovery: (place & 1) as 0 | 1 };
}

function readCompact(bytes: Uint8Array): Signature {
  const rs = new Uint8Array(bytes);
  const top = rs[32] ?? 0;
  rs[32] = top & 0x7f;
  return { rs, recovery: top >= 0x80 ? 1 : 0 };
}

/** True if the 32 bytes at `offset`, read as a big-endian number, lie in 1..n-1. */
function isScalar(bytes: Uint8Array, offset: number): boolean {
  let isZero = true;
  let isBelowOrder = false;
  for (let i = 0; i < 32; i++) {
    const digit = bytes[offset + i]!;
    const limit = ORDER[i]!;
    if (digit !== 0) isZero = false;
    if (!isBelowOrder && digit > limit) return false;
    if (digit < limit) isBelowOrder = true;
    if (isBelowOrder && !isZero) return true;
  }
  return false;
}
