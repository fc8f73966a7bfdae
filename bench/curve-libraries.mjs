/** Both implementations of the package `secp256k1`, as the service uses one of them. */
import { createRequire } from 'node:module';
import { built } from '../scripts/built.mjs';

const { backendOf } = await built('crypto/ecdsa.js');
const require = createRequire(import.meta.url);

export const ellipticBackend = backendOf(require('secp256k1/elliptic'));

/** Null where there is no compiled binding. */
export const libsecp256k1 = loadBinding();

function loadBinding() {
  try {
    return backendOf(require('secp256k1/bindings'));
  } catch {
    return null;
  }
}
