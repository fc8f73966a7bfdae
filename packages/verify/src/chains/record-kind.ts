/**
 * How the log, receipts and erasures have a kind of signed record: declared once for each kind. All that makes or
 * checks an entry goes by this.
 */
import type { Erasure } from './erased.js';

/** A signed record as the feed of its kind answers it. */
export interface FeedRecord {
  /** The number in the feed of its kind. */
  id: number;
  /** Compressed key. */
  avatar: string;
  uuid: string;
  /** Of a record that is about an identity, as all but key events are. */
  platform?: string;
  identity?: string;
  signature: string;
  signature_payload: string;
  /** Only where its text was erased. */
  erased?: Erasure;
}

/** A record, and what its entries are made of. */
export interface NamedRecord {
  kind: EntryKind;
  item: Omit<FeedRecord, 'id' | 'avatar'> & Partial<Pick<FeedRecord, 'id' | 'avatar'>>;
}

/** A kind of signed record. */
export interface EntryKind {
  /** As entries and receipts name it; entries of its erasures are of the kind `erased_<name>`. */
  name: string;
  /** A record of it in words, and as a member of calls and of what the map counts: `link`. */
  item: string;
  /** Several of them, likewise, and as a member of feeds and exports: `links`. */
  list: string;
  /**
   * The members of a record that its hash is made of, also where an answer holds more: a member that a later version
   * adds must not change what stands in the log. In the order of canonical JSON, which saves sorting each record.
   */
  members: readonly string[];
  /** Members of an entry beside those of all: `identity_key` is the key of what it is about, others have the value. */
  more: readonly string[];
  /** A record of it, and several, in sentences, where these are other words than `item` and `list`. */
  words?: { one: string; several: string };
  /**
   * Of a kind that came later: an export may lack its list, which is that of an Avatar that has none, and its proofs
   * stand in a member of `log` of this name. Readers of before refuse a proof of a record that they do not know.
   */
  exportedProofs?: `${string}_proofs`;
}

/** A record of a kind in sentences. */
export function wordOf({ item, words }: EntryKind): string {
  return words?.one ?? item;
}

/** Several records of a kind in sentences. */
export function wordsOf({ list, words }: EntryKind): string {
  return words?.several ?? list;
}

/** What records of all kinds have. */
const SIGNED = ['avatar', 'created_at', 'id', 'identity', 'platform', 'signature', 'signature_payload', 'uuid'];

/** How the log writes links. `archive_id` is filled in later, so it is not among the members. */
export const LINK_ENTRIES: EntryKind = {
  name: 'link',
  item: 'link',
  list: 'links',
  members: [...SIGNED, 'action', 'extra', 'proof_location'].sort(),
  more: ['action', 'identity_key'],
};

/** How the log writes the patches of content. */
export const PATCH_ENTRIES: EntryKind = {
  name: 'kv',
  item: 'patch',
  list: 'patches',
  members: [...SIGNED, 'patch'].sort(),
  more: ['identity_key'],
};

/** Key events, which are about no identity. */
export const KEY_ENTRIES: EntryKind = {
  name: 'key',
  item: 'key',
  list: 'keys',
  members: [
    ...['action', 'avatar', 'cosignature', 'cosigner', 'created_at', 'due_at', 'fields', 'id', 'links', 'patches'],
    ...['recorded_at', 'signature', 'signature_payload', 'signer', 'successor_signature', 'uuid'],
  ],
  more: [],
  words: { one: 'key event', several: 'key events' },
  exportedProofs: 'key_proofs',
};

/** The kinds that this version knows. */
export const ENTRY_KINDS: readonly EntryKind[] = [LINK_ENTRIES, PATCH_ENTRIES, KEY_ENTRIES];
