import { asciiLower } from '@signet/verify/names';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';

export const NO_SUCH_POST = 'There is no such post on X.';
export const POST_ID = /^[1-9]\d{0,18}$/;
const ACCOUNT_ID = /^\d{1,19}$/;
const USERNAME = /^[A-Za-z0-9_]{1,30}$/;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** A post as every source shows it, in the author's current wording. */
export interface XPost {
  /** Id of the version that is shown. */
  id: string;
  /** All versions of the post, oldest first; only the last one counts. */
  versions: string[];
  authorId: string;
  /** In the letter case of the platform. */
  username: string;
  /** Entities decoded. */
  text: string;
  isRepost: boolean;
}

/** What a source knows of a post: the post, or in one sentence why it is not to be seen. */
export type XAnswer = { post: XPost } | { gone: string };

/** The id of the newest version, if it is another one than the one that is shown; otherwise null. */
export function newerVersion(post: XPost): string | null {
  const newest = post.versions.at(-1) ?? post.id;
  return newest === post.id ? null : newest;
}

/** What a post proves. `body` holds the bytes from which it was read. */
export function judgePost(post: XPost, claim: ProofClaim, body: Uint8Array): Verdict {
  if (post.isRepost) return invalid('The post is a repost of another one; a post of its own was expected.');
  if (asciiLower(post.username) !== claim.identity) {
    return invalid(`The post belongs to another account on X than "${claim.identity}".`);
  }
  return checkPostedSignature(post.text, claim, { url: postUrl(post.id), body, accountId: post.authorId });
}

/** Where people see a post; the user in such an address does not matter. */
export function postUrl(id: string): string {
  return `https://x.com/i/status/${id}`;
}

/** Puts a post together from values that a server sent; null if one is missing or of another form. */
export function readPost(parts: {
  id: unknown;
  versions: unknown;
  authorId: unknown;
  username: unknown;
  text: unknown;
  isRepost: boolean;
}): XPost | null {
  const { id, authorId, username, text, isRepost } = parts;
  if (typeof id !== 'string' || !POST_ID.test(id) || typeof text !== 'string') return null;
  if (typeof authorId !== 'string' || !ACCOUNT_ID.test(authorId)) return null;
  if (typeof username !== 'string' || !USERNAME.test(username)) return null;
  const versions = Array.isArray(parts.versions) ? parts.versions : [];
  return {
    id,
    versions: versions.filter((version): version is string => typeof version === 'string' && POST_ID.test(version)),
    authorId,
    username,
    text: decodeEntities(text),
    // The text of a repost starts so; a second sign, for answers that do not say what is referred to.
    isRepost: isRepost || text.startsWith('RT @'),
  };
}

/** Posts arrive with a few characters written as entities; they are decoded once. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);
}
