/**
 * What stands in the log: one entry for each link and each patch (docs/design/decisions.md 12), one for each erasure,
 * and between them those of the map (map-entry.ts). An entry of a record holds its hash and not its texts, so that a
 * text can be erased for legal reasons and the log stays whole. Signed texts hold 122 bits that cannot be guessed, so a
 * text cannot be found by its hash.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalJson } from '../text/canonical-json.js';
import { encodeHex, utf8 } from '../text/encoding.js';
import { type Erasure, isErased } from '../chains/erased.js';
import type { SignedLink } from '../chains/link.js';
import type { SignedPatch } from '../chains/patch.js';
import type { Sha256 } from './tree.js';

/** An entry of a link, a patch or an erasure. */
export interface LogEntry {
  /** Compressed key. */
  avatar: string;
  /** The number in the feed of its kind. */
  id: number;
  /** `link` or `kv`; `erased_link` or `erased_kv` of an erasure; later versions may have more. */
  kind: string;
  /** SHA-256 of the canonical JSON of the record, or of what stands in its place; 64 hex digits. */
  record: string;
  /** UNIX seconds at which the service accepted or erased it. */
  recorded_at: number;
  uuid: string;
  v: 1;
}

/** A link as `GET /v1/proofchain/changes` answers it. */
export interface FeedLink extends SignedLink {
  id: number;
  avatar: string;
  proof_location: string;
  extra: { [fact: string]: unknown };
}

/** A patch as `GET /v1/kv/changes` answers it. */
export interface FeedPatch extends SignedPatch {
  id: number;
  /** Compressed key. */
  avatar: string;
}

/**
 * The members that the record of a link has, also where an answer holds more: a member that a later version adds must
 * not change what stands in the log. `archive_id` is filled in later, so it is not among them.
 */
export const LINK_MEMBERS = [
  'action',
  'avatar',
  'created_at',
  'extra',
  'id',
  'identity',
  'platform',
  'proof_location',
  'signature',
  'signature_payload',
  'uuid',
] as const;
export const PATCH_MEMBERS = [
  'avatar',
  'created_at',
  'id',
  'identity',
  'patch',
  'platform',
  'signature',
  'signature_payload',
  'uuid',
] as const;

/**
 * Hex SHA-256 of the canonical JSON of a link; of an erased one, what it says that this was. `hash` may be a faster
 * SHA-256.
 * @throws TypeError if a member is missing or is nothing that JSON has
 */
export function linkRecord(link: FeedLink, hash?: Sha256): string {
  return isErased(link) ? link.erased.record : recordOf(link, LINK_MEMBERS, hash);
}

/**
 * Hex SHA-256 of the canonical JSON of a patch; of an erased one, what it says that this was. `hash` may be a faster
 * SHA-256.
 * @throws TypeError if a member is missing or is nothing that JSON has
 */
export function patchRecord(patch: FeedPatch, hash?: Sha256): string {
  return isErased(patch) ? patch.erased.record : recordOf(patch, PATCH_MEMBERS, hash);
}

/**
 * Hex SHA-256 of the canonical JSON of what stands in place of an erased link or patch.
 * @throws TypeError if a member is missing or is nothing that JSON has
 */
export function tombstoneRecord(item: ErasedItem, hash?: Sha256): string {
  return 'link' in item
    ? recordOf(item.link, [...LINK_MEMBERS, 'erased'], hash)
    : recordOf(item.patch, [...PATCH_MEMBERS, 'erased'], hash);
}

/** What stands in place of an erased link or patch. */
export type ErasedItem = { link: FeedLink & { erased: Erasure } } | { patch: FeedPatch & { erased: Erasure } };

/**
 * The leaf of a link as text; its UTF-8 bytes are the entry. `recordedAt` is in UNIX seconds.
 * @throws TypeError as `linkRecord` does
 */
export function linkEntry(link: FeedLink, recordedAt: number, hash?: Sha256): string {
  return writeEntry({ ...placeOf(link), kind: 'link', record: linkRecord(link, hash), recorded_at: recordedAt });
}

/**
 * The leaf of a patch as text; its UTF-8 bytes are the entry. `recordedAt` is in UNIX seconds.
 * @throws TypeError as `patchRecord` does
 */
export function patchEntry(patch: FeedPatch, recordedAt: number, hash?: Sha256): string {
  return writeEntry({ ...placeOf(patch), kind: 'kv', record: patchRecord(patch, hash), recorded_at: recordedAt });
}

/**
 * The leaf of an erasure as text; its UTF-8 bytes are the entry.
 * @throws TypeError as `tombstoneRecord` does
 */
export function erasureEntry(item: ErasedItem, hash?: Sha256): string {
  const [kind, erased] = 'link' in item ? ['erased_link', item.link] : ['erased_kv', item.patch];
  const { at } = erased.erased;
  return writeEntry({ ...placeOf(erased), kind, record: tombstoneRecord(item, hash), recorded_at: at });
}

/** The text of a leaf from its members. */
export function writeEntry(entry: Omit<LogEntry, 'v'>): string {
  const { avatar, id, kind, record, recorded_at, uuid } = entry;
  return canonicalJson({ avatar, id, kind, record, recorded_at, uuid, v: 1 });
}

/** Reads a leaf; null for bytes that are not an entry in its one spelling. */
export function readEntry(bytes: Uint8Array): LogEntry | null {
  try {
    // A byte order mark is not left out, so that it is seen.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const entry = JSON.parse(text) as LogEntry;
    return isEntry(entry) && canonicalJson(entry) === text ? entry : null;
  } catch {
    return null;
  }
}

function isEntry(entry: LogEntry): boolean {
  return (
    entry.v === 1 &&
    Object.keys(entry).length === 7 &&
    [entry.avatar, entry.kind, entry.record, entry.uuid].every((member) => typeof member === 'string') &&
    /^[0-9a-f]{64}$/.test(entry.record) &&
    [entry.id, entry.recorded_at].every((member) => Number.isSafeInteger(member) && member >= 0)
  );
}

function placeOf({ avatar, id, uuid }: FeedLink | FeedPatch) {
  return { avatar, id, uuid };
}

function recordOf<Item extends object>(
  item: Item,
  members: readonly (keyof Item & string)[],
  hash: Sha256 = sha256,
): string {
  const named = Object.fromEntries(members.map((member) => [member, item[member]]));
  return encodeHex(hash(utf8(canonicalJson(named))));
}
