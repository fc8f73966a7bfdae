import { decodeBase64 } from '../crypto/encoding.js';
import { isPersonalSignature } from '../crypto/personal-sign.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { InvalidSignatureError } from '../domain/domain-errors.js';

/**
 * The check that both two-step protocols make of a signature sent with the request; `field` is its name there, for the
 * message.
 * @throws InvalidSignatureError if `signature` is no strict Base64 of a signature of `avatar` over `signPayload`.
 */
export function assertAvatarSigned(field: string, signature: string, signPayload: string, avatar: AvatarKey): void {
  const bytes = decodeBase64(signature);
  if (!bytes) throw new InvalidSignatureError(`${field} is not Base64 (standard alphabet, with padding).`);
  if (!isPersonalSignature(signPayload, bytes, avatar.compressed)) {
    throw new InvalidSignatureError(`${field} was not made by the Avatar key over sign_payload with personal_sign.`);
  }
}
