/**
 * What stands in the log: one entry for each record (docs/design/decisions.md 12, 22), one for each erasure, and
 * between them those of the map (map-entry.ts). An entry of a record holds its hash and not its texts, so that a text
 * can be erased for legal reasons and the log stays whole. Signed texts hold 122 bits that cannot be guessed, so a text
 * cannot be found by its hash. What a record did, and the key of what it is about, stand in its entry from the
 * beginning, so that an erasure cannot change them.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { identityKey } from '../map/map-keys.js';
import { canonicalJson } from '../text/canonical-json.js';
import { encodeHex, utf8 } from '../text/encoding.js';
import { type Erasure, isErased } from '../chains/erased.js';
import { parseObject } from '../text/signed-text.js';
import { ENTRY_KINDS, type EntryKind, type FeedRecord } from '../chains/record-kind.js';
import type { Sha256 } from './tree.js';

/** What the entries of records and erasures share. */
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

/** An entry that says that the text of a record was erased. */
export interface ErasureEntry extends RecordEntry {
  kind: 'erased_link' | 'erased_kv';
}

/** An entry of a record or an erasure. */
export type LogEntry = LinkEntry | PatchEntry | ErasureEntry;

/** An entry of a kind that this version does not know. Its other members may be anything. */
export interface OtherEntry {
  kind: string;
  [member: string]: unknown;
}

/**
 * Hex SHA-256 of the canonical JSON of a record; of an erased one, what it says that this was. `hash` may be a faster
 * SHA-256.
 * @throws TypeError if a member is missing or is nothing that JSON has
 */
export function recordHash(kind: EntryKind, record: { erased?: Erasure }, hash?: Sha256): string {
  return isErased(record) ? record.erased.record : hashOf(record, kind.members, hash);
}

/**
 * Hex SHA-256 of the canonical JSON of what stands in place of an erased record.
 * @throws TypeError if a member is missing or is nothing that JSON has
 */
export function tombstoneHash(kind: EntryKind, record: object, hash?: Sha256): string {
  return hashOf(record, [...kind.members, 'erased'], hash);
}

/**
 * The leaf of a record as text; its UTF-8 bytes are the entry. `recordedAt` is in UNIX seconds.
 * @throws TypeError as `recordHash` does
 */
export function recordEntry(kind: EntryKind, record: FeedRecord, recordedAt: number, hash?: Sha256): string {
  const more = moreOf(kind, record, hash);
  const { avatar, id, uuid } = record;
  const said = { avatar, id, uuid, ...more, kind: kind.name, record: recordHash(kind, record, hash) };
  return canonicalJson(inOrder(kind, { ...said, recorded_at: recordedAt, v: 1 }));
}

/**
 * The leaf of the erasure of a record as text; its UTF-8 bytes are the entry.
 * @throws TypeError as `tombstoneHash` does
 */
export function erasedEntry(kind: EntryKind, record: FeedRecord & { erased: Erasure }, hash?: Sha256): string {
  const { avatar, id, uuid, erased } = record;
  const said = { avatar, id, uuid, kind: `erased_${kind.name}`, record: tombstoneHash(kind, record, hash) };
  return canonicalJson({ ...said, recorded_at: erased.at, v: 1 });
}

/**
 * Hex SHA-256 of the canonical JSON of the members of a record that its entry in the log is made of, but for its
 * number, which it may get after the answer: what its receipt holds. `hash` may be a faster SHA-256.
 * @throws TypeError if a member is missing or is nothing that JSON has
 */
export function recordedHash({ members }: EntryKind, record: object, hash?: Sha256): string {
  return hashOf(
    record,
    members.filter((name) => name !== 'id'),
    hash,
  );
}

/** What the entry of a record has beside the members of all kinds. */
export function moreOf(kind: EntryKind, record: object, hash?: Sha256): Record<string, unknown> {
  const value = (member: string) =>
    member === 'identity_key'
      ? keyOf(record as Parameters<typeof keyOf>[0], hash)
      : record[member as keyof typeof record];
  return Object.fromEntries(kind.more.map((member) => [member, value(member)]));
}

/** The text of a leaf from its members. */
export function writeEntry(entry: Omit<LinkEntry, 'v'> | Omit<PatchEntry, 'v'> | Omit<ErasureEntry, 'v'>): string {
  return canonicalJson({ ...entry, v: 1 });
}

/** Hex of the key of what a record is about, which an erased one names. */
export function keyOf(item: { platform: string; identity: string; erased?: Erasure }, hash?: Sha256): string {
  return isErased(item) ? item.erased.identity_key : encodeHex(identityKey(item.platform, item.identity, hash));
}

/**
 * Reads a leaf; null for bytes that are not an entry of a record of these kinds, or of its erasure, in its one
 * spelling.
 */
export function readEntry(bytes: Uint8Array, kinds: readonly EntryKind[] = ENTRY_KINDS): LogEntry | null {
  const entry = readObject(bytes);
  return entry && isEntry(entry, kinds) ? (entry as unknown as LogEntry) : null;
}

/**
 * Reads a leaf of a kind that this version does not know, as a later one may write them: canonical JSON of an object
 * with a `kind` of 2 to 32 small letters, digits and `_`. Null for other bytes and for the kinds that are known.
 */
export function readOtherEntry(bytes: Uint8Array, kinds: readonly EntryKind[] = ENTRY_KINDS): OtherEntry | null {
  const entry = readObject(bytes);
  const kind = entry?.['kind'];
  if (!entry || typeof kind !== 'string' || !/^[a-z][a-z0-9_]{1,31}$/.test(kind)) return null;
  return kind === 'map' || moreMembers(kind, kinds) ? null : (entry as OtherEntry);
}

/** The members that entries of a kind have beside those of all; undefined for a kind that is none of these. */
function moreMembers(kind: string, kinds: readonly EntryKind[]): readonly string[] | undefined {
  const known = kinds.find(({ name }) => kind === name || kind === `erased_${name}`);
  return known && (known.name === kind ? known.more : []);
}

const MEMBERS = ['avatar', 'id', 'kind', 'record', 'recorded_at', 'uuid', 'v'];
const orders = new WeakMap<EntryKind, readonly string[]>();

/** The members of an entry of a record in the order of canonical JSON, which saves sorting each entry. */
function inOrder(kind: EntryKind, entry: Record<string, unknown>): Record<string, unknown> {
  const order = orders.get(kind) ?? [...MEMBERS, ...kind.more].sort();
  orders.set(kind, order);
  return Object.fromEntries(order.map((member) => [member, entry[member]]));
}

const HASH = /^[0-9a-f]{64}$/;

function isEntry(entry: Record<string, unknown>, kinds: readonly EntryKind[]): boolean {
  const { action, avatar, id, identity_key: key, kind, record, recorded_at: at, uuid, v } = entry;
  const more = typeof kind === 'string' ? moreMembers(kind, kinds) : undefined;
  if (!more || v !== 1 || Object.keys(entry).length !== MEMBERS.length + more.length) return false;
  const isHash = (member: unknown) => typeof member === 'string' && HASH.test(member);
  return (
    [avatar, uuid].every((member) => typeof member === 'string') &&
    isHash(record) &&
    [id, at].every((member) => Number.isSafeInteger(member) && (member as number) >= 0) &&
    more.every((member) => entry[member] !== undefined) &&
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

function hashOf(item: object, members: readonly string[], hash: Sha256 = sha256): string {
  const named = Object.fromEntries(members.map((member) => [member, item[member as keyof typeof item]]));
  return encodeHex(hash(utf8(canonicalJson(named))));
}
