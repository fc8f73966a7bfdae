/**
 * ECDSA on secp256k1 (SEC 2): key parsing and recovery of the signer's key. The work is done by one of two libraries
 * behind one interface: libsecp256k1 where its binding loads, else elliptic in plain JavaScript, which is also the
 * second opinion in the tests.
 */
import { createRequire } from 'node:module';
import {
  type Curves,
  hasKeyPrefix,
  nobleEd25519,
  type PublicKey,
  recoverPublicKey as recoverWith,
  type Secp256k1,
} from '@signet/verify';

export { parseSignature } from '@signet/verify';

/** One of the libraries. */
export interface Secp256k1Backend extends Secp256k1 {
  readonly name: string;
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

/** The curves that the service gives to the rules of `@signet/verify`. */
export const serviceCurves: Curves = { secp256k1: defaultBackend, ed25519: nobleEd25519 };

/**
 * Reads a public key of 33 or 65 bytes; null if it is not a point on the curve. Hybrid keys (first byte 6 or 7) are
 * refused.
 */
export function parsePublicKey(bytes: Uint8Array): PublicKey | null {
  return defaultBackend.parsePublicKey(bytes);
}

/**
 * The 33-byte key that signed the 32-byte digest, or null if the signature is malformed or no key could have made it.
 */
export function recoverPublicKey(
  digest: Uint8Array,
  signature: Uint8Array,
  backend: Secp256k1 = defaultBackend,
): Uint8Array | null {
  return recoverWith(digest, signature, backend);
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
