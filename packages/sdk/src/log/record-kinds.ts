/** The kinds of signed records that the log of a server has, as their feeds show them: declared once for each. */
import {
  nobleCurves,
  type OtherRecords,
  type SignedLink,
  type SignedPatch,
  type Verification,
  verifyLink,
  verifyPatch,
} from '@signet/verify';
import { KeyChainChecker } from '@signet/verify/internal/key-events';
import { type KeptKeyChain, type SignedKeyEvent, verifyKeyEvent } from '@signet/verify/key-events';
import { type EntryKind, KEY_ENTRIES, LINK_ENTRIES, type NamedRecord, PATCH_ENTRIES } from '@signet/verify/log';
import type { FeedLink } from '../answers.js';
import type { Client } from '../client/client.js';
import type { KeyEvent } from '../keys/key-types.js';
import type { Transport } from '../transport.js';
import type { FeedPatch } from './log-reader.js';

/** A record of any kind. Key events are about no identity, and are never erased. */
export type AnyRecord = FeedLink | FeedPatch | (KeyEvent & { platform?: never; identity?: never; erased?: never });

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
  /** Whether servers of before have no such feed, and none of its records. */
  isOptional?: true;
  /** Reads all records of an Avatar, oldest first. */
  chainOf(server: AskedServer, avatar: string, signal: AbortSignal | undefined): Promise<ChainRecord[]>;
  /** The part that names the members of `MonitorState` of this kind: `last<Part>Id`, `last<Part>At`. */
  part: string;
  /** Checks a record by itself, and behind the one before it. */
  verify(record: AnyRecord, context?: { avatar: string; previous: { signature: string } | null }): Verification;
  /**
   * Of a kind whose rules ask for more than the record before: checks a record of an Avatar behind all before it, of
   * which `kept` is what the last call returned, plain JSON; undefined for the first.
   */
  follow?(record: AnyRecord, avatar: string, kept: unknown): { result: Verification; kept: unknown };
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

const KEYS: FollowedKind = {
  entry: KEY_ENTRIES,
  feedPath: '/v1/keys/changes',
  isOptional: true,
  chainOf: ({ client }, avatar, signal) => client.keys.chain(avatar, { signal }).toArray(),
  part: 'Key',
  verify: (record, context) => verifyKeyEvent(record as SignedKeyEvent, context),
  follow: (record, avatar, before) => {
    const checker = new KeyChainChecker(nobleCurves, avatar, before as KeptKeyChain | undefined);
    const result = checker.add(record as SignedKeyEvent);
    return { result, kept: checker.kept };
  },
};

/** The kinds that this version knows. */
export const FOLLOWED_KINDS: readonly FollowedKind[] = [LINKS, PATCHES, KEYS];

/** A record with what its entries are made of, as proofs and receipts are checked against it. */
export function named({ entry }: FollowedKind, record: AnyRecord): { record: NamedRecord } {
  return { record: { kind: entry, item: record as NamedRecord['item'] } };
}

/** The kind that entries and receipts name so; undefined for one that this version does not know. */
export function kindNamed(name: string, kinds = FOLLOWED_KINDS): FollowedKind | undefined {
  return kinds.find(({ entry }) => entry.name === name);
}

/** How the records are checked that `verifyExport` does not check by itself. */
export function othersOf(kinds: readonly FollowedKind[]): OtherRecords {
  const others = kinds.filter(({ entry }) => entry !== LINK_ENTRIES && entry !== PATCH_ENTRIES);
  return Object.fromEntries(others.map((kind) => [kind.entry.list, checkOf(kind)]));
}

function checkOf(kind: FollowedKind): OtherRecords[string] {
  let kept: unknown;
  return (record, context) => {
    if (!kind.follow) return kind.verify(record as AnyRecord, context);
    const next = kind.follow(record as AnyRecord, context.avatar, context.previous ? kept : undefined);
    kept = next.kept;
    return next.result;
  };
}
