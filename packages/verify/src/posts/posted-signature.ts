/** Finds an Avatar's signature in what a person published. */
import type { WithCurves } from '../keys/curves.js';
import { decodeBase64, encodeBase64, utf8 } from '../text/encoding.js';
import { isPersonalSignature } from '../signatures/personal-sign.js';
import { signatureWords } from './posted-words.js';
import { parseSignature } from '../signatures/signature.js';

/** The longest posts of all platforms are far below. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_TRIES = 5; // key recoveries per text; a post has one signature, sometimes an old one beside it

/** A web address up to its end in plain text, Markdown or JSON. */
const ADDRESS = /https?:\/\/[^\s"'<>`)\]|]*/gi;

/** What a post has to prove. */
export interface PostedClaim {
  /** The exact text that was signed. */
  payload: string;
  /** Compressed key: `0x` and 66 lowercase hex digits. */
  avatar: string;
}

/** Where the signature is, or what is there instead. */
export type PostedSignature =
  | {
      found: true;
      /** Standard Base64 of the bytes that were found. */
      signature: string;
      /** Index in the text of where the signature starts, in UTF-16 units. */
      at: number;
    }
  | {
      found: false;
      /** One sentence for people. */
      reason: string;
      /**
       * Only where nothing has the form of a signature: the text without its web addresses. `describePiece` of
       * `@signet/verify/signature-help` says whether a piece of one is there.
       */
      searched?: string;
    };

/**
 * Looks for the Avatar's signature over `claim.payload` in the author's own text. Wording and markup do not matter:
 * every Base64 word of 65 bytes counts (or 64 in the compact form), in either alphabet, padded or not, broken over
 * lines or not. Nothing else in the text is believed, and nothing in a web address, which another author may have
 * written: sharing a link signs nothing. The first candidates that have the form of a signature are tried, and the
 * first that verifies is taken. Takes linear time. The caller removes quoted, forwarded and embedded texts of others
 * before.
 */
export function findPostedSignature(text: string, claim: PostedClaim, options: WithCurves = {}): PostedSignature {
  if (text.length > MAX_TEXT_BYTES || utf8(text).length > MAX_TEXT_BYTES) {
    return { found: false, reason: 'The text of the post is longer than 64 KiB.' };
  }
  const tried = new Set<string>();
  const withoutAddresses = text.replace(ADDRESS, (address) => '.'.repeat(address.length));
  for (const { text: word, at } of signatureWords(withoutAddresses)) {
    const bytes = decodeWord(word);
    if (!bytes || !parseSignature(bytes)) continue;
    const signature = encodeBase64(bytes);
    if (tried.has(signature)) continue;
    if (tried.size === MAX_TRIES) break;
    tried.add(signature);
    if (isPersonalSignature(claim.payload, bytes, claim.avatar, options)) return { found: true, signature, at };
  }
  if (tried.size > 0) {
    return { found: false, reason: 'The post holds a signature, but none that this Avatar made over this payload.' };
  }
  const reason = 'The post holds no signature: a Base64 word of 65 bytes was expected in the text of its author.';
  return { found: false, reason, searched: withoutAddresses };
}

/** Decodes unpadded Base64 of either alphabet, or answers null. */
function decodeWord(word: string): Uint8Array | null {
  const standard = word.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
}
