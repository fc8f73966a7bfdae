import { patchPayload } from '@signet/verify';
import { rewrittenJson } from '@signet/verify/internal';
import type { AvatarKey } from '../../domain/avatar-key.js';
import { unixSeconds } from '../../domain/unix-time.js';
import type { NewPatch } from '../kv-feed.js';
import { assertAvatarSigned, isAvatarSigned } from '../../ledger/avatar-signature.js';

/** The fields that an Avatar signs for one patch. */
type PatchFields = Pick<NewPatch, 'avatar' | 'platform' | 'identity' | 'patch' | 'uuid' | 'createdAt' | 'previous'> & {
  /** The key of an app that signs it; absent where the Avatar does. */
  signer?: string | undefined;
};

/** The text that is signed: see `patchPayload` of the rules. */
export function buildKvPayload({ avatar, createdAt, previous, ...fields }: PatchFields): string {
  return patchPayload({ ...fields, avatar: avatar.compressed, created_at: unixSeconds(createdAt), prev: previous });
}

/**
 * Returns the text that the Avatar signed: the issued one, or the text that JavaScript writes after parsing it, in
 * which members named by whole numbers come first. Clients that show a patch before they sign it sign that text
 * (docs/design/decisions.md 13).
 * @param signature Base64
 * @throws InvalidSignatureError if it signed neither.
 */
export function signedKvPayload(issued: string, signature: string, avatar: AvatarKey): string {
  if (isAvatarSigned(signature, issued, avatar)) return issued;
  const rewritten = rewrittenJson(issued);
  if (rewritten !== issued && isAvatarSigned(signature, rewritten, avatar)) return rewritten;
  assertAvatarSigned('signature', signature, issued, avatar);
  return issued;
}
