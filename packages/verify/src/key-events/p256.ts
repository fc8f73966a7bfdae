/** ECDSA on P-256 (FIPS 186-5) with SHA-256, as WebCrypto and passkeys sign. */
import { p256 } from '@noble/curves/nist.js';
import type { Curves } from '../keys/curves.js';
import { nobleP256 } from '../keys/noble-nist.js';

/**
 * Whether the signature of the message is valid under the compressed key: `compact` is r and s of 32 bytes each, `der`
 * is strict DER (X.690, section 10). A high s is accepted. Never throws.
 */
export function isP256Signature(
  message: Uint8Array,
  signature: Uint8Array,
  key: Uint8Array,
  format: 'compact' | 'der',
  curves: Pick<Curves, 'p256'> = {},
): boolean {
  try {
    const compact = format === 'der' ? p256.Signature.fromBytes(signature, 'der').toBytes('compact') : signature;
    return (curves.p256 ?? nobleP256).verify(message, compact, key);
  } catch {
    return false;
  }
}
