/** personal_sign (EIP-191), on the curve library of the service. */
import * as rules from '@signet/verify';
import { defaultBackend } from './ecdsa.js';

export { personalDigest } from '@signet/verify';

/** The compressed key (`0x` and 66 lowercase hex digits) that signed the text, or null. */
export function recoverPersonalSigner(message: string, signature: Uint8Array): string | null {
  return rules.recoverPersonalSigner(message, signature, defaultBackend);
}

/** True if the owner of the compressed key (`0x` and 66 lowercase hex digits) signed exactly this text. */
export function isPersonalSignature(message: string, signature: Uint8Array, compressedKey: string): boolean {
  return rules.isPersonalSignature(message, signature, compressedKey, defaultBackend);
}
