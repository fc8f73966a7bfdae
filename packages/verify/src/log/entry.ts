/**
 * What stands in the log: one entry for each link and each patch (docs/design/decisions.md 12, 22), one for each
 * erasure, and between them those of the map (map-entry.ts). An entry of a record holds its hash and not its texts, so
 * that a text can be erased for legal reasons and the log stays whole. Signed texts hold 122 bits that cannot be
 * guessed, so a text cannot be found by its hash. What a link did, and the key of what a link or patch is about, stand
 * in its entry from the beginning, so that an erasure cannot change them.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { identityKey } from '../map/map-keys.js';
import { canonicalJson } from '../text/canonical-json.js';
import { encodeHex, utf8 } from '../text/encoding.js';
import { type Erasure, isErased } from '../chains/erased.js';
import type { SignedLink } from '../chains/link.js';
import type { SignedPatch } from '../chains/patch.js';
import { parseObject } from '../text/signed-text.js';
import type { Sha256 } from './tree.js';

/** What the entries of links, patches and erasures share. */
interface RecordEntry {
  /** Compressed key. */
  avatar: string;
  /** The number in the feed of its kind. */
  id: number;
  /** SHA-256 of the canonical JSON of the record, or of what stands in its place; 64 hex digits. */
  record: string;
  /** UNIX seconds at which the service accepted or erased it. */
  recorded_at: number;
  uuid: string;
  v: 1;
}

/** An entry of a link. */
export interface LinkEntry extends RecordEntry {
  kind: 'link';
  action: 'create' | 'delete';
  /** Hex of the key of its identity in the map: see `identityKey`. */
  identity_key: string;
}

/** An entry of a patch. */
export interface PatchEntry extends RecordEntry {
  kind: 'kv';
  /** Hex of the key of the platform and identity whose content it changes: see `identityKey`. */
  identity_key: string;
}

/** An entry that says that the text of a link or patch was erased. */
export interface ErasureEntry extends RecordEntry {
  kind: 'erased_link' | 'erased_kv';
}

/** An entry of a link, a patch or an erasure. */
export type LogEntry = LinkEntry | PatchEntry | ErasureEntry;

/** An entry of a kind that this version does not know. Its other members may be anything. */
export interface OtherEntry {
  kind: string;
  [member: string]: unknown;
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
  const action = link.action as LinkEntry['action'];
  const [identity_key, record] = [keyOf(link, hash), linkRecord(link, hash)];
  return writeEntry({ ...placeOf(link), action, identity_key, kind: 'link', record, recorded_at: recordedAt });
}

/**
 * The leaf of a patch as text; its UTF-8 bytes are the entry. `recordedAt` is in UNIX seconds.
 * @throws TypeError as `patchRecord` does
 */
export function patchEntry(patch: FeedPatch, recordedAt: number, hash?: Sha256): string {
  const [identity_key, record] = [keyOf(patch, hash), patchRecord(patch, hash)];
  return writeEntry({ ...placeOf(patch), identity_key, kind: 'kv', record, recorded_at: recordedAt });
}

/**
 * The leaf of an erasure as text; its UTF-8 bytes are the entry.
 * @throws TypeError as `tombstoneRecord` does
 */
export function erasureEntry(item: ErasedItem, hash?: Sha256): string {
  const kind = 'link' in item ? 'erased_link' : 'erased_kv';
  const erased = 'link' in item ? item.link : item.patch;
  const record = tombstoneRecord(item, hash);
  return writeEntry({ ...placeOf(erased), kind, record, recorded_at: erased.erased.at });
}

/** The text of a leaf from its members. */
export function writeEntry(entry: Omit<LinkEntry, 'v'> | Omit<PatchEntry, 'v'> | Omit<ErasureEntry, 'v'>): string {
  return canonicalJson({ ...entry, v: 1 });
}

/** Hex of the key of what a link or patch is about, which an erased one names. */
export function keyOf(item: FeedLink | FeedPatch, hash?: Sha256): string {
  return isErased(item) ? item.erased.identity_key : encodeHex(identityKey(item.platform, item.identity, hash));
}

/** Reads a leaf; null for bytes that are not an entry of a link, a patch or an erasure in its one spelling. */
export function readEntry(bytes: Uint8Array): LogEntry | null {
  const entry = readObject(bytes);
  return entry && isEntry(entry) ? (entry as unknown as LogEntry) : null;
}

/**
 * Reads a leaf of a kind that this version does not know, as a later one may write them: canonical JSON of an object
 * with a `kind` of 2 to 32 small letters, digits and `_`. Null for other bytes and for the kinds that are known.
 */
export function readOtherEntry(bytes: Uint8Array): OtherEntry | null {
  const entry = readObject(bytes);
  const kind = entry?.['kind'];
  if (!entry || typeof kind !== 'string' || !/^[a-z][a-z0-9_]{1,31}$/.test(kind)) return null;
  return kind === 'map' || isKnownKind(kind) ? null : (entry as OtherEntry);
}

/** Whether it is the kind of links, patches or erasures. */
export function isKnownKind(kind: string): boolean {
  return MORE_MEMBERS.has(kind);
}

/** The members that entries of a kind have beside those of all. */
const MORE_MEMBERS = new Map<string, string[]>([
  ['link', ['action', 'identity_key']],
  ['kv', ['identity_key']],
  ['erased_link', []],
  ['erased_kv', []],
]);
const MEMBERS = ['avatar', 'id', 'kind', 'record', 'recorded_at', 'uuid', 'v'];
const HASH = /^[0-9a-f]{64}$/;

function isEntry(entry: Record<string, unknown>): boolean {
  const { action, avatar, id, identity_key: key, kind, record, recorded_at: at, uuid, v } = entry;
  const more = typeof kind === 'string' ? MORE_MEMBERS.get(kind) : undefined;
  if (!more || v !== 1 || Object.keys(entry).length !== MEMBERS.length + more.length) return false;
  const isHash = (member: unknown) => typeof member === 'string' && HASH.test(member);
  return (
    [avatar, uuid].every((member) => typeof member === 'string') &&
    isHash(record) &&
    [id, at].every((member) => Number.isSafeInteger(member) && (member as number) >= 0) &&
    (!more.includes('identity_key') || isHash(key)) &&
    (!more.includes('action') || action === 'create' || action === 'delete')
  );
}

/** The object of canonical JSON; null for other bytes. */
function readObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    // A byte order mark is not left out, so that it is seen.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const entry = parseObject(text);
    return entry && canonicalJson(entry) === text ? entry : null;
  } catch {
    return null;
  }
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
