/**
 * Ed25519 (RFC 8032), strict: how Solana wallets sign. Node's own `crypto.verify` accepts forged signatures for keys of
 * small order, such as the all-zero key of the System Program, so the check is done by a library that refuses them.
 */
import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * RFC 8032 decoding (coordinates below the field prime, S below the group order), not the lenient rules that
 * blockchains share.
 */
const STRICT = { zip215: false };

/** True for 32 bytes that are the canonical encoding of a curve point and not one of the 8 points of small order. */
export function isUsablePublicKey(key: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(key, STRICT.zip215).isSmallOrder();
  } catch {
    return false;
  }
}

/**
 * True if the 64-byte signature of the message is valid under the 32-byte key. Unusable keys (see above) verify
 * nothing; never throws.
 */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, key, STRICT); // refuses unusable keys itself
  } catch {
    return false;
  }
}
