/**
 * Links and patches by their names, for callers that have one of them at hand. What stands here only says of which kind
 * they are: all else goes by `EntryKind`.
 */
import { erasedEntry, recordedHash, recordEntry, recordHash } from '../log/entry.js';
import type { Sha256 } from '../log/tree.js';
import type { Erasure } from './erased.js';
import type { SignedLink } from './link.js';
import type { SignedPatch } from './patch.js';
import { LINK_ENTRIES, type NamedRecord, PATCH_ENTRIES } from './record-kind.js';

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

/** A link as it is recorded; its number in the feed is not part of a receipt. */
export type RecordedLinkItem = Omit<FeedLink, 'id'>;
/** A patch as it is recorded; it may get its number in the feed later. */
export type RecordedPatchItem = Omit<FeedPatch, 'id'>;

/** What stands in place of an erased link or patch. */
export type ErasedItem = { link: FeedLink & { erased: Erasure } } | { patch: FeedPatch & { erased: Erasure } };

/** What names a record. */
export interface RecordContext {
  /** A link, from the feed or from the chain of its Avatar. */
  link?: SignedLink | undefined;
  /** A patch, from the feed or from the chain of its Avatar. */
  patch?: SignedPatch | undefined;
  /** A record of any kind, from its feed, with what its entries are made of. */
  record?: NamedRecord | undefined;
  /** The Avatar of the item, as a compressed key; without it the one that the item names. */
  avatar?: string | undefined;
}

/** The record that is named; null if none is. */
export function namedIn({ link, patch, record }: RecordContext): NamedRecord | null {
  if (link) return { kind: LINK_ENTRIES, item: link };
  return patch ? { kind: PATCH_ENTRIES, item: patch } : (record ?? null);
}

/** `recordHash` of a link. */
export function linkRecord(link: FeedLink, hash?: Sha256): string {
  return recordHash(LINK_ENTRIES, link, hash);
}

/** `recordHash` of a patch. */
export function patchRecord(patch: FeedPatch, hash?: Sha256): string {
  return recordHash(PATCH_ENTRIES, patch, hash);
}

/** `recordEntry` of a link. */
export function linkEntry(link: FeedLink, recordedAt: number, hash?: Sha256): string {
  return recordEntry(LINK_ENTRIES, link, recordedAt, hash);
}

/** `recordEntry` of a patch. */
export function patchEntry(patch: FeedPatch, recordedAt: number, hash?: Sha256): string {
  return recordEntry(PATCH_ENTRIES, patch, recordedAt, hash);
}

/** `erasedEntry` of a link or a patch. */
export function erasureEntry(item: ErasedItem, hash?: Sha256): string {
  return 'link' in item ? erasedEntry(LINK_ENTRIES, item.link, hash) : erasedEntry(PATCH_ENTRIES, item.patch, hash);
}

/** `recordedHash` of a link or a patch. */
export function receiptHash(item: { link: RecordedLinkItem } | { patch: RecordedPatchItem }, hash?: Sha256): string {
  return 'link' in item ? recordedHash(LINK_ENTRIES, item.link, hash) : recordedHash(PATCH_ENTRIES, item.patch, hash);
}
