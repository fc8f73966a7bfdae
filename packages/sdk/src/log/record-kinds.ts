/** The kinds of signed records that the log of a server has, as their feeds show them: declared once for each. */
import { type SignedLink, type SignedPatch, type Verification, verifyLink, verifyPatch } from '@signet/verify';
import { type EntryKind, LINK_ENTRIES, type NamedRecord, PATCH_ENTRIES } from '@signet/verify/log';
import type { FeedLink } from '../answers.js';
import type { FeedPatch } from './log-reader.js';

/** A record of any kind. */
export type AnyRecord = FeedLink | FeedPatch;

/** What a reader of feeds and log needs to know of a kind. */
export interface FollowedKind {
  /** What its entries are made of. */
  entry: EntryKind;
  /** Where its feed is. */
  feedPath: string;
  /** The part that names the members of `MonitorState` of this kind: `last<Part>Id`, `last<Part>At`. */
  part: string;
  /** Checks a record by itself, and behind the one before it. */
  verify(record: AnyRecord, context?: { avatar: string; previous: { signature: string } | null }): Verification;
}

const LINKS: FollowedKind = {
  entry: LINK_ENTRIES,
  feedPath: '/v1/proofchain/changes',
  part: 'Link',
  verify: (record, context) => verifyLink(record as SignedLink, context),
};

const PATCHES: FollowedKind = {
  entry: PATCH_ENTRIES,
  feedPath: '/v1/kv/changes',
  part: 'Patch',
  verify: (record, context) => verifyPatch(record as SignedPatch, context),
};

/** The kinds that this version knows. */
export const FOLLOWED_KINDS: readonly FollowedKind[] = [LINKS, PATCHES];

/** A record with what its entries are made of, as proofs and receipts are checked against it. */
export function named({ entry }: FollowedKind, record: AnyRecord): { record: NamedRecord } {
  return { record: { kind: entry, item: record } };
}

/** The kind that entries and receipts name so; undefined for one that this version does not know. */
export function kindNamed(name: string, kinds = FOLLOWED_KINDS): FollowedKind | undefined {
  return kinds.find(({ entry }) => entry.name === name);
}
