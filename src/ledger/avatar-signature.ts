import { addressOfKey, decodeBase64, recoverPersonalSigner } from '@signet/verify';
import { describeMalformedSignature, explainMistake, signatureAsBase64 } from '@signet/verify/signature-help';
import { InvalidSignatureError } from '@signet/look';
import { submitCurves } from '../domain/submit-curves.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { ReadWith } from '../http/validation/fields.js';

/** Declares a signature of a request: `0x` and hex becomes standard Base64, the one form that the code knows. */
export function SignatureField(): PropertyDecorator {
  return ReadWith((value) => (typeof value === 'string' ? signatureAsBase64(value) : value));
}

/**
 * Checks a signature sent with a request of either two-step protocol; `field` is its name there, for the message. For a
 * text that is not a signature at all, the message describes the text rather than a key.
 * @throws InvalidSignatureError if `signature` is not strict Base64 of a signature of `avatar` over `signPayload`.
 */
export function assertAvatarSigned(field: string, signature: string, signPayload: string, avatar: AvatarKey): void {
  const malformed = describeMalformedSignature(signature);
  if (malformed) {
    throw new InvalidSignatureError(
      `${field} must be a signature of 65 bytes in standard Base64, or in hex behind 0x; this is ${malformed}.`,
    );
  }
  const bytes = decodeBase64(signature)!;
  const signer = recoverPersonalSigner(signPayload, bytes, { curves: submitCurves });
  if (signer === avatar.compressed) return;
  const mistake = explainMistake(signPayload, bytes, (key) => key === avatar.compressed, { curves: submitCurves });
  throw new InvalidSignatureError(
    `${field} was not made by the Avatar key over sign_payload with personal_sign` +
      (mistake ? `: it was made by that key over ${mistake}.` : `${actualSigner(signer)}.`),
  );
}

/**
 * The compressed key that made a signature over this text with personal_sign; `field` is its name in the request.
 * @throws InvalidSignatureError if it is not strict Base64 of a signature that some key made. That of a contract wallet
 *   is none.
 */
export function signerOf(field: string, signature: string, text: string): string {
  const malformed = describeMalformedSignature(signature);
  const signer = malformed ? null : recoverPersonalSigner(text, decodeBase64(signature)!, { curves: submitCurves });
  if (signer) return signer;
  throw new InvalidSignatureError(
    `${field} must be a signature of 65 bytes by a key, which contract wallets do not make, in standard Base64 or in hex behind 0x` +
      (malformed ? `; this is ${malformed}.` : '; no key made this one.'),
  );
}

/** Whether `signature` is strict Base64 of a signature of `avatar` over `text`. */
export function isAvatarSigned(signature: string, text: string, avatar: AvatarKey): boolean {
  const bytes = decodeBase64(signature);
  return bytes !== null && recoverPersonalSigner(text, bytes, { curves: submitCurves }) === avatar.compressed;
}

/** The end of a message: whose signature it would be, if a key can be recovered. */
function actualSigner(signer: string | null): string {
  return signer
    ? `; over that text it would be one of the key ${signer} (address ${addressOfKey(signer, { curves: submitCurves })})`
    : '';
}
