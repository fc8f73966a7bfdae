/** The JSON file that is published where a platform holds files (github, keybase). */
import { findAvatarKey } from '../keys/avatar-key.js';
import type { WithCurves } from '../keys/curves.js';
import { SIGNATURE_PLACEHOLDER } from '../text/constants.js';
import { findPostedSignature, type PostedClaim, type PostedSignature } from './posted-signature.js';
import { parseObject } from '../text/signed-text.js';

/** A proof document is under 2 KiB. */
const MAX_DOCUMENT_CHARACTERS = 64 * 1024;

/** The member that holds the identity. */
export type NameMember = 'github_username' | 'keybase_username' | 'website';

/** What a proof document is written from. */
export interface DocumentFields {
  /** Compressed key. */
  avatar: string;
  identity: string;
  /** The exact text to sign. */
  sign_payload: string;
  /** UNIX seconds in decimal. */
  created_at: string;
  uuid: string;
}

/** What a proof document says of itself. Nothing of it is evidence; only the signature is. */
export interface ProofDocument {
  /** `avatar`, or `persona` as the peer services call it; null if there is none. */
  avatar: string | null;
  githubUsername: string | null;
  keybaseUsername: string | null;
  signature: string | null;
}

/** The document with fields for people to read around the payload and the placeholder of its signature. */
export function writeProofDocument(fields: DocumentFields, nameMember: NameMember, comment: string): string {
  const document = {
    version: '1',
    comment,
    avatar: fields.avatar,
    [nameMember]: fields.identity,
    sign_payload: fields.sign_payload,
    signature: SIGNATURE_PLACEHOLDER,
    created_at: fields.created_at,
    uuid: fields.uuid,
  };
  return JSON.stringify(document, null, 2);
}

/**
 * Reads a proof document, or answers null where the text is not a JSON object. Forgives a byte order mark and
 * typographic quotes.
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
export function namesAvatar(
  document: ProofDocument | null,
  { compressed }: { compressed: string },
  options: WithCurves = {},
): boolean {
  const hex = document?.avatar?.trim().toLowerCase().replace(/^0x/, '');
  return hex !== undefined && findAvatarKey(`0x${hex}`, options)?.compressed === compressed;
}

/**
 * Finds the signature in a proof document: wherever it stands in the text, or else as the decoded member `signature`,
 * because JSON can write `/` as `\/`. Where it is nowhere, the reason is that of the member.
 */
export function findDocumentSignature(text: string, claim: PostedClaim, options: WithCurves = {}): PostedSignature {
  const inText = findPostedSignature(text, claim, options);
  const signature = inText.found ? null : readProofDocument(text)?.signature;
  if (!signature) return inText;
  const inMember = findPostedSignature(`signature: ${signature}`, claim, options);
  return inMember.found ? { ...inMember, at: 0 } : inMember;
}

function textMember(document: object, name: string): string | null {
  const value: unknown = Object.getOwnPropertyDescriptor(document, name)?.value;
  return typeof value === 'string' ? value : null;
}
