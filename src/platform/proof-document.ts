import { AvatarKey } from '../domain/avatar-key.js';
import { unixSecondsText } from '../domain/unix-time.js';
import type { ProofClaim, ProofDraft, Verdict } from './platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from './platform-verifier.js';
import type { SeenPost } from './posted-signature.js';
import { checkPostedSignature } from './posted-signature.js';

/** A proof document is under 2 KiB. */
const MAX_DOCUMENT_CHARACTERS = 64 * 1024;

/** The member that holds the identity. */
export type NameMember = 'github_username' | 'keybase_username';

/** What a proof document says of itself. Nothing of it is evidence; only the signature is. */
export interface ProofDocument {
  /** `avatar`, or `persona` as the peer services call it; null if there is none. */
  avatar: string | null;
  githubUsername: string | null;
  keybaseUsername: string | null;
  signature: string | null;
}

/**
 * The JSON file that is published where a platform holds files: fields for people to read around the payload and its
 * signature.
 */
export function writeProofDocument(draft: ProofDraft, nameMember: NameMember, comment: string): string {
  const document = {
    version: '1',
    comment,
    avatar: draft.avatar.compressed,
    [nameMember]: draft.identity,
    sign_payload: draft.signPayload,
    signature: SIGNATURE_PLACEHOLDER,
    created_at: unixSecondsText(draft.createdAt),
    uuid: draft.uuid,
  };
  return JSON.stringify(document, null, 2);
}

/**
 * Reads a proof document, or answers null where the text is no JSON object. Forgives a byte order mark and typographic
 * quotes.
 */
export function readProofDocument(text: string): ProofDocument | null {
  if (text.length > MAX_DOCUMENT_CHARACTERS) return null;
  const bare = text.replace(/^\ufeff/, '');
  const document = parseObject(bare) ?? parseObject(bare.replace(/[“”„‟]/g, '"').replaceAll('\u00a0', ' '));
  if (!document) return null;
  return {
    avatar: textMember(document, 'avatar') ?? textMember(document, 'persona'),
    githubUsername: textMember(document, 'github_username'),
    keybaseUsername: textMember(document, 'keybase_username'),
    signature: textMember(document, 'signature'),
  };
}

/** Whether the document names this Avatar, in any spelling of its key, with or without `0x`. */
export function namesAvatar(document: ProofDocument | null, avatar: AvatarKey): boolean {
  const hex = document?.avatar?.trim().toLowerCase().replace(/^0x/, '');
  return hex !== undefined && AvatarKey.find(`0x${hex}`)?.compressed === avatar.compressed;
}

/**
 * Checks the signature in a proof document: wherever it stands in the text, or else as the decoded member `signature`,
 * because JSON can write `/` as `\/`.
 */
export function checkProofDocument(text: string, claim: ProofClaim, seen: SeenPost): Verdict {
  const verdict = checkPostedSignature(text, claim, seen);
  const signature = verdict.valid ? null : readProofDocument(text)?.signature;
  if (!signature) return verdict;
  const second = checkPostedSignature(signature, claim, seen);
  return second.valid ? second : verdict;
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function textMember(document: object, name: string): string | null {
  const value: unknown = Object.getOwnPropertyDescriptor(document, name)?.value;
  return typeof value === 'string' ? value : null;
}
