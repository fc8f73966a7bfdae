import { cleanPasted } from '@signet/verify/internal';
import type { RecordPlace } from '@signet/verify/atproto';
import { canonicalForm } from '@signet/verify/names';
import { InvalidRequestError } from '../../errors.js';
import { parsePastedUrl } from '../../posts/pasted-url.js';

const POST = 'app.bsky.feed.post';
const PROFILE = 'app.bsky.actor.profile';
const PAGES = ['bsky.app', 'www.bsky.app'];
/** Record keys (AT Protocol, Record Key). */
const RKEY = /^(?!\.{1,2}$)[A-Za-z0-9_~.:-]{1,512}$/;
const AT_URI = /^at:\/\/([^/]+)(?:\/([^/]+)\/([^/]+))?\/?$/;
/** A handle or a DID in front of a place says no more than the identity does; another DID is another account. */
const DID = /^did:/;

/** The DID that a pasted text names: itself, an at-URI, or the address of a profile with a DID; null for a handle. */
export function didIn(text: string): string | null {
  const pasted = cleanPasted(text);
  const url = parsePastedUrl(pasted);
  const [page, actor] = url && PAGES.includes(url.host) ? url.path : [];
  const written = page === 'profile' && actor !== undefined ? decodedPart(actor) : pasted;
  return canonicalForm('bluesky', AT_URI.exec(written)?.[1] ?? written);
}

/**
 * The canonical location, which is the address of its page: a post, `https://bsky.app/profile/<did>/post/<rkey>`, or the
 * text of the profile, `https://bsky.app/profile/<did>`. Takes at-URIs and record keys of posts too.
 * @throws InvalidRequestError (`invalid_proof_location`)
 */
export function canonicalPlace(text: string, did: string): string {
  const { actor, rkey } = placeIn(cleanPasted(text)) ?? {};
  const isOwn = actor === undefined || !DID.test(actor) || canonicalForm('bluesky', actor) === did;
  if (rkey === undefined || !isOwn) {
    throw new InvalidRequestError(
      'Not a post or profile of this account on Bluesky: expected its address at bsky.app or its at:// address.',
      'invalid_proof_location',
    );
  }
  const profile = `https://bsky.app/profile/${did}`;
  return rkey === null ? profile : `${profile}/post/${rkey}`;
}

/** The record at a canonical location. */
export function recordAt(location: string, did: string): RecordPlace {
  const rkey = /\/post\/([^/]+)$/.exec(location)?.[1];
  return rkey === undefined ? { did, collection: PROFILE, rkey: 'self' } : { did, collection: POST, rkey };
}

/** The text that the author wrote in such a record, or null for a record of another kind. */
export function textOf(record: unknown, { collection }: RecordPlace): string | null {
  const { $type, description, text } = (record ?? {}) as Record<string, unknown>;
  if ($type !== collection) return null;
  const written = collection === POST ? text : (description ?? '');
  return typeof written === 'string' ? written : null;
}

/** The parts of a pasted place; `rkey` is null for a profile. */
function placeIn(pasted: string): { actor?: string; rkey: string | null } | null {
  if (RKEY.test(pasted) && !/[.:]/.test(pasted)) return { rkey: pasted };
  const at = AT_URI.exec(pasted);
  if (at) return ofRecord(at[1]!, at[2], at[3]);
  const url = parsePastedUrl(pasted);
  if (!url || !PAGES.includes(url.host)) return null;
  const [page, actor = '', kind, rkey, ...rest] = url.path.map(decodedPart);
  if (page !== 'profile' || actor === '' || rest.length > 0) return null;
  if (kind === undefined) return { actor, rkey: null };
  return kind === 'post' ? ofRecord(actor, POST, rkey) : null;
}

function ofRecord(actor: string, collection = PROFILE, rkey = 'self'): { actor: string; rkey: string | null } | null {
  if (collection === PROFILE) return rkey === 'self' ? { actor, rkey: null } : null;
  return collection === POST && RKEY.test(rkey) ? { actor, rkey } : null;
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
