/**
 * The curve libraries that the service gives to the rules of `@signet/verify`, for ECDSA on secp256k1 (SEC 2):
 * libsecp256k1 where its binding loads, otherwise elliptic in plain JavaScript, which the tests compare with it.
 */
import { createRequire } from 'node:module';
import { type Curves, hasKeyPrefix, nobleEd25519, type Secp256k1 } from '@signet/verify';

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
        // Each conversion computes a square root, and one of them finds all that the other would.
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
