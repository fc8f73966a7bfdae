/** Signers for tests: a third implementation of the curve, unrelated to the two that the service uses. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytes32, ORDER, toBigInt } from './vectors.js';

/** A throw-away key that follows from a name, so that failures repeat. */
export function signerNamed(name: string): { publicKey: Uint8Array; sign(digest: Uint8Array): Uint8Array } {
  const secret = keccak_256(Buffer.from(name));
  return {
    publicKey: secp256k1.getPublicKey(secret),
    /** 65 bytes: r, s and the recovery byte 0 or 1. */
    sign(digest) {
      const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
      return Uint8Array.from([...signature.subarray(1), signature[0]!]);
    },
  };
}

/** The other form of a signature: n - s and the other parity. */
export function malleableTwin(signature: Uint8Array): Uint8Array {
  const s = bytes32(ORDER - toBigInt(signature.subarray(32, 64)));
  return Uint8Array.from([...signature.subarray(0, 32), ...s, signature[64]! ^ 1]);
}
