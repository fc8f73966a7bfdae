/**
 * ECDSA on secp256k1 (SEC 2): key parsing and recovery of the signer's key. The work is done by one of two libraries
 * behind one interface: libsecp256k1 where its binding loads, else elliptic in plain JavaScript, which is also the
 * second opinion in the tests.
 */
import { createRequire } from 'node:module';

/** The order n of the group, big-endian. */
const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

/** A point in both encodings of SEC 1: 33 and 65 bytes. */
export interface PublicKey {
  compressed: Uint8Array;
  uncompressed: Uint8Array;
}

/** A signature without its wire form: r and s (32 bytes each, big-endian) and the parity of the nonce point's y. */
export interface Signature {
  rs: Uint8Array;
  recovery: 0 | 1;
}

/** What the service asks of a curve library. Neither method throws, whatever the bytes are. */
export interface Secp256k1Backend {
  readonly name: string;
  /** Reads a point of 33 or 65 bytes; null if it is not on the curve or is spelled otherwise. */
  parsePublicKey(bytes: Uint8Array): PublicKey | null;
  /**
   * The 33-byte key that made this signature of a 32-byte digest, or null. A high s is accepted. Recovery ids 2 and 3
   * stand for a nonce point whose x is n or above; they exist in mathematics, but not in personal_sign.
   */
  recover(digest: Uint8Array, rs: Uint8Array, recovery: 0 | 1 | 2 | 3): Uint8Array | null;
}

/**
 * The functions that we use of the package `secp256k1`. Both of its implementations have them; they throw on bad input.
 */
interface Secp256k1Package {
  publicKeyConvert(key: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaRecover(rs: Uint8Array, recovery: number, digest: Uint8Array): Uint8Array;
}

const require = createRequire(import.meta.url);

/** The C library of Bitcoin Core, or null on a machine for which there is no compiled binding. */
export const libsecp256k1: Secp256k1Backend | null = loadLibsecp256k1();

/**
 * elliptic, behind the range checks that the package `secp256k1` puts around it (elliptic itself reduces x above the
 * field prime).
 */
export const ellipticBackend: Secp256k1Backend = backendOf(
  'elliptic',
  require('secp256k1/elliptic') as Secp256k1Package,
);

/** What the service uses: libsecp256k1 is some hundred times faster. */
export const defaultBackend: Secp256k1Backend = libsecp256k1 ?? ellipticBackend;

/**
 * Reads a public key of 33 or 65 bytes; null if it is not a point on the curve. Hybrid keys (first byte 6 or 7) are
 * refused.
 */
export function parsePublicKey(bytes: Uint8Array): PublicKey | null {
  return defaultBackend.parsePublicKey(bytes);
}

/**
 * Reads a signature of 65 bytes (r, s, v with v in 0, 1, 27, 28) or 64 bytes (EIP-2098: the parity is the top bit of
 * s). r and s must lie in 1..n-1; s above n/2 is allowed, because common signers produce it (docs/design/decisions.md
 * 2). Null for anything else.
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
  backend: Secp256k1Backend = defaultBackend,
): Uint8Array | null {
  const parsed = parseSignature(signature);
  return parsed && backend.recover(digest, parsed.rs, parsed.recovery);
}

function readWithRecoveryByte(bytes: Uint8Array): Signature | null {
  if (bytes.length !== 65) return null;
  const rs = bytes.subarray(0, 64);
  const v = bytes[64];
  if (v === 0 || v === 27) return { rs, recovery: 0 };
  if (v === 1 || v === 28) return { rs, recovery: 1 };
  return null;
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

function loadLibsecp256k1(): Secp256k1Backend | null {
  try {
    return backendOf('libsecp256k1', require('secp256k1/bindings') as Secp256k1Package);
  } catch {
    return null;
  }
}

function backendOf(name: string, library: Secp256k1Package): Secp256k1Backend {
  return {
    name,
    parsePublicKey(bytes) {
      if (!hasKeyPrefix(bytes)) return null;
      try {
        // Each conversion computes a square root, and one of them finds whatever the other would.
        return bytes.length === 33
          ? { compressed: new Uint8Array(bytes), uncompressed: library.publicKeyConvert(bytes, false) }
          : { compressed: library.publicKeyConvert(bytes, true), uncompressed: new Uint8Array(bytes) };
      } catch {
        return null;
      }
    },
    recover(digest, rs, recovery) {
      try {
        return library.ecdsaRecover(rs, recovery, digest);
      } catch {
        return null;
      }
    },
  };
}

/** The libraries also read hybrid keys, a third spelling (first byte 6 or 7) that nobody uses. */
function hasKeyPrefix(bytes: Uint8Array): boolean {
  if (bytes.length === 65) return bytes[0] === 4;
  return bytes.length === 33 && (bytes[0] === 2 || bytes[0] === 3);
}
