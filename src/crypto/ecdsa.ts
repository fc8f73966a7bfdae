/**
 * The curve libraries that the service gives to the rules of `@signet/verify`. For ECDSA on secp256k1 (SEC 2):
 * libsecp256k1 where its binding loads, otherwise elliptic in plain JavaScript, which the tests compare with it.
 */
import secp256k1 from 'secp256k1';
import { type Curves, nobleBip340, nobleEd25519, type Secp256k1 } from '@signet/verify';
import { hasKeyPrefix } from '@signet/verify/internal';
import { opensslCurves } from './openssl-curves.js';

/**
 * The functions that we use of the package `secp256k1`. Both of its implementations have them; they throw on bad input.
 */
type Secp256k1Package = Pick<typeof secp256k1, 'publicKeyConvert' | 'ecdsaRecover'>;

/**
 * What the service uses: the package takes its binding, which is some hundred times faster, and loads elliptic only
 * where there is none.
 */
export const defaultBackend: Secp256k1 = backendOf(secp256k1);

/** The curves that the service gives to the rules of `@signet/verify`. */
export const serviceCurves: Curves = {
  secp256k1: defaultBackend,
  ed25519: nobleEd25519,
  bip340: nobleBip340,
  ...opensslCurves,
};

/** One implementation of the package, as the rules want it. */
export function backendOf(library: Secp256k1Package): Secp256k1 {
  return {
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
