import { findPostedSignature, type PostedSignature, SIGNATURE_PLACEHOLDER } from '@signet/verify';
import { describePiece } from '@signet/verify/internal/signatures';
import { sha256Hex } from '../hashing.js';
import type { Evidence, ProofClaim, Verdict } from '../platform-verifier.js';
import { invalid } from '../platform-verifier.js';
import { MAX_MATCHED_BYTES, printableText } from './verdict-form.js';

const utf8 = new TextEncoder();

/** What a verifier has read. */
export interface SeenPost {
  /** The URL or record name that was read; never holds a credential. */
  url: string;
  /** The bytes that were read, for the hash of the evidence. */
  body: Uint8Array;
  /** The platform's stable account id of the author, where it has one. */
  accountId?: string | undefined;
}

/**
 * Looks for the Avatar's signature over `claim.signPayload` in the author's own text (`findPostedSignature` of the
 * rules says how). The caller removes quoted, forwarded and embedded texts of others before.
 */
export function checkPostedSignature(text: string, claim: ProofClaim, seen: SeenPost): Verdict {
  return verdictOf(text, findPostedSignature(text, postedClaim(claim), { curves: claim.curves }), seen);
}

/** What the rules need of a claim. */
export function postedClaim({ signPayload, avatar }: ProofClaim): { payload: string; avatar: string } {
  return { payload: signPayload, avatar: avatar.compressed };
}

/** The verdict on a text in which the rules looked for a signature, with the evidence. */
export function verdictOf(text: string, posted: PostedSignature, seen: SeenPost): Verdict {
  if (!posted.found) {
    if (text.includes(SIGNATURE_PLACEHOLDER)) {
      return invalid(`The post still holds ${SIGNATURE_PLACEHOLDER}, in place of the signature.`);
    }
    const piece = posted.searched === undefined ? null : describePiece(posted.searched);
    return invalid(piece ?? posted.reason);
  }
  return {
    valid: true,
    signature: posted.signature,
    ...(seen.accountId === undefined ? {} : { accountId: seen.accountId }),
    evidence: evidenceOf(text, posted.at, seen),
  };
}

/** The evidence of a text that was accepted, `at` being where its signature starts. */
function evidenceOf(text: string, at: number, seen: SeenPost): Evidence {
  return { url: seen.url, sha256: sha256Hex(seen.body), matchedText: excerpt(text, at) };
}

/** At most 4 KiB of `text` with the signature at `at` in it, in whole and printable characters. */
function excerpt(text: string, at: number): string {
  const clean = printableText(text);
  const bytes = utf8.encode(clean);
  if (bytes.length <= MAX_MATCHED_BYTES) return clean;
  const signatureAt = utf8.encode(clean.slice(0, at)).length;
  let start = signatureAt < MAX_MATCHED_BYTES / 2 ? 0 : signatureAt - MAX_MATCHED_BYTES / 2;
  while (isContinuationByte(bytes[start])) start += 1;
  let end = Math.min(bytes.length, start + MAX_MATCHED_BYTES);
  while (isContinuationByte(bytes[end])) end -= 1;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
}

/** UTF-8: 10xxxxxx, never the first byte of a character. */
function isContinuationByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
