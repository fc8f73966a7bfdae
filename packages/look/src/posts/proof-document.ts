/** The JSON file that is published where a platform holds files, as the rules write and read it. */
import { findDocumentSignature, type NameMember, type ProofDocument } from '@signet/verify';
import { namesAvatar as namesAvatarOf, writeProofDocument as writeDocument } from '@signet/verify/internal/signatures';
import { unixSecondsText } from '../unix-time.js';
import type { ProofClaim, ProofDraft, Verdict } from '../platform-verifier.js';
import { postedClaim, type SeenPost, verdictOf } from './posted-signature.js';

export { readProofDocument } from '@signet/verify/internal/signatures';

/** The document of a draft, with the placeholder of the signature. */
export function writeProofDocument(draft: ProofDraft, nameMember: NameMember, comment: string): string {
  const fields = {
    avatar: draft.avatar.compressed,
    identity: draft.identity,
    sign_payload: draft.signPayload,
    created_at: unixSecondsText(draft.createdAt),
    uuid: draft.uuid,
  };
  return writeDocument(fields, nameMember, comment);
}

/** Whether the document names the Avatar of the claim, in any spelling of its key, with or without `0x`. */
export function namesAvatar(
  document: ProofDocument | null,
  { avatar, curves }: Pick<ProofClaim, 'avatar' | 'curves'>,
): boolean {
  return namesAvatarOf(document, avatar, { curves });
}

/** Checks the signature in a proof document (`findDocumentSignature` of the rules says where it may stand). */
export function checkProofDocument(text: string, claim: ProofClaim, seen: SeenPost): Verdict {
  return verdictOf(text, findDocumentSignature(text, postedClaim(claim), { curves: claim.curves }), seen);
}
