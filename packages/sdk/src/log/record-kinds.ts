/** The kinds of signed records that the log of a server has, as their feeds show them: declared once for each. */
import {
  type OtherRecords,
  type SignedLink,
  type SignedPatch,
  type Verification,
  verifyLink,
  verifyPatch,
} from '@signet/verify';
import { ENTRY_KINDS, type EntryKind, LINK_ENTRIES, type NamedRecord, PATCH_ENTRIES } from '@signet/verify/log';
import type { FeedLink } from '../answers.js';
import type { Client } from '../client/client.js';
import type { Transport } from '../transport.js';
import type { FeedPatch } from './log-reader.js';

/** A record of any kind. */
export type AnyRecord = FeedLink | FeedPatch;

/** A record as the chain of its Avatar has it. */
export type ChainRecord = NamedRecord['item'];

/** A server, and a client that checks what it answers. */
export interface AskedServer {
  client: Client;
  transport: Transport;
}

/** What a reader of feeds, chains and log needs to know of a kind. */
export interface FollowedKind {
  /** What its entries are made of. */
  entry: EntryKind;
  /** Where its feed is. */
  feedPath: string;
  /** Reads all records of an Avatar, oldest first. */
  chainOf(server: AskedServer, avatar: string, signal: AbortSignal | undefined): Promise<ChainRecord[]>;
  /** The part that names the members of `MonitorState` of this kind: `last<Part>Id`, `last<Part>At`. */
  part: string;
  /** Checks a record by itself, and behind the one before it. */
  verify(record: AnyRecord, context?: { avatar: string; previous: { signature: string } | null }): Verification;
}

const LINKS: FollowedKind = {
  entry: LINK_ENTRIES,
  feedPath: '/v1/proofchain/changes',
  chainOf: ({ client }, avatar, signal) => client.chain(avatar, { signal }).toArray() as Promise<SignedLink[]>,
  part: 'Link',
  verify: (record, context) => verifyLink(record as SignedLink, context),
};

const PATCHES: FollowedKind = {
  entry: PATCH_ENTRIES,
  feedPath: '/v1/kv/changes',
  chainOf: ({ client }, avatar, signal) => client.kv.chain(avatar, { signal }).toArray() as Promise<SignedPatch[]>,
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

/** How the records are checked that `verifyExport` does not check by itself. */
export function othersOf(kinds: readonly FollowedKind[]): OtherRecords {
  const others = kinds.filter(({ entry }) => !ENTRY_KINDS.includes(entry));
  const checkOf = (kind: FollowedKind): OtherRecords[string] => {
    return (record, context) => kind.verify(record as AnyRecord, context);
  };
  return Object.fromEntries(others.map((kind) => [kind.entry.list, checkOf(kind)]));
}
