import { p256, p384 } from '@noble/curves/nist.js';
import type { NistCurve } from './curves.js';

/** P-256 of `@noble/curves`: runs wherever JavaScript does, and takes ten times as long as OpenSSL or more. */
export const nobleP256: NistCurve = { verify: (...signed) => isSigned(p256, signed) };

/** P-384 of `@noble/curves`. */
export const nobleP384: NistCurve = { verify: (...signed) => isSigned(p384, signed) };

function isSigned(curve: typeof p256, [message, signature, key]: Parameters<NistCurve['verify']>): boolean {
  try {
    return curve.verify(signature, message, key, { lowS: false });
  } catch {
    return false;
  }
}
