import { encodeHex } from '@signet/verify';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** SHA-256 as lowercase hex. */
export function sha256Hex(data: Uint8Array): string {
  return encodeHex(sha256(data));
}

/** The 32 bytes of keccak-256 as Ethereum uses it: the padding from before SHA-3 became a standard. */
export function keccak256(data: Uint8Array): Uint8Array {
  return keccak_256(data);
}
