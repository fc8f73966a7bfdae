/**
 * Stands for `@noble/hashes/sha3.js` in the one file of `<signet-proof>`: Keccak-256 of all bytes at once, by the
 * permutation of the library, without what hashes a stream. A test holds both against each other.
 */
import { keccakP } from '@noble/hashes/sha3.js';
import { u32 } from './small-hashing.js';

/** Bytes that go into the state between two permutations. */
const BLOCK_BYTES = 136;

/** Keccak-256. */
export function keccak_256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(bytes.length + BLOCK_BYTES - (bytes.length % BLOCK_BYTES));
  padded.set(bytes);
  padded[bytes.length]! ^= 1;
  padded[padded.length - 1]! ^= 128;
  const state = new Uint32Array(50);
  u32(padded).forEach((word, index) => {
    const place = index % (BLOCK_BYTES / 4);
    state[place]! ^= word;
    if (place === BLOCK_BYTES / 4 - 1) keccakP(state);
  });
  return new Uint8Array(state.buffer, 0, 32);
}
