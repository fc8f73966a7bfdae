import { erasedEntry, wordsOf } from '@signet/verify/internal/log';
import { leafHash } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { Turns } from '../../../concurrency/turns.js';
import { sha256 } from '../../../crypto/hashing.js';
import { unixSeconds } from '../../../domain/unix-time.js';
import { erasureOf, type Recorded, type RecordKind, type RecordKinds } from '../../../ledger/record-kind.js';
import { readErased, readErasures } from './erasure-rows.js';
import { entryOf } from './feed-records.js';

/** Bytes of long texts that one batch reads of each feed; more come with the next one. */
const MAX_BATCH_BYTES = 4_000_000;
/** Erasures that one batch takes in at most. */
export const ERASURES_AT_ONCE = 100;

/** Numbers of records, each in its feed, by the names of their kinds, and of an erasure; 0 where there is none. */
export type RecordNumbers = { [kind: string]: number } & { erasure: number };

/** A leaf on its way into the tree. */
export interface NewLeaf {
  /** The kind of the entry, as the entry names it. */
  kind: string;
  /** The number of the record in its feed; of an entry of the map its own in the log. */
  recordId: number;
  /** UNIX seconds, as the entry says. */
  recordedAt: number;
  /** Canonical JSON. */
  entry: string;
  hash: Uint8Array;
}

/** Feeds and erasures are not those that the tree goes on behind; the message says what is missing. */
export class BrokenFeedError extends Error {
  /** What is missing does not come back by itself. */
  readonly isFinal = true;
}

export function leafOf(kind: string, recordId: number, recordedAt: number, entry: string): NewLeaf {
  return { kind, recordId, recordedAt, entry, hash: leafHash(Buffer.from(entry), sha256) };
}

/**
 * Reads up to `limit` records of each kind behind the last ones in the tree, in the transaction of `manager`.
 * @throws BrokenFeedError if a feed has a hole
 */
export async function readNextRecords(
  manager: EntityManager,
  kinds: RecordKinds,
  last: RecordNumbers,
  limit: number,
): Promise<Map<RecordKind, Recorded[]>> {
  const records = new Map<RecordKind, Recorded[]>();
  for (const kind of kinds) {
    const rows = await kind.feed.readIn(manager, last[kind.name]!, limit, MAX_BATCH_BYTES);
    assertGapless(kind, last[kind.name]!, rows);
    if (rows.length > 0) records.set(kind, rows);
  }
  return records;
}

/** The leaves of records, kind by kind; requests have their turn in between. */
export async function leavesOf(records: Map<RecordKind, Recorded[]>): Promise<NewLeaf[]> {
  const leaves: NewLeaf[] = [];
  const turns = new Turns();
  for (const [kind, rows] of records) {
    for (const row of rows) {
      await turns.next();
      leaves.push(leafOf(kind.name, row.id, unixSeconds(row.recordedAt), entryOf(kind, row)));
    }
  }
  return leaves;
}

/**
 * Leaves of the next erasures, as far as the records themselves are in the tree, in the transaction of `manager`.
 * @throws BrokenFeedError if there is an erasure of what is not erased
 */
export async function readNextErasures(
  manager: EntityManager,
  kinds: RecordKinds,
  last: RecordNumbers,
): Promise<NewLeaf[]> {
  const leaves: NewLeaf[] = [];
  for (const row of await readErasures(manager, last.erasure, ERASURES_AT_ONCE)) {
    const { id, kind: name, recordId } = row;
    if (recordId > (last[name] ?? 0)) break;
    const erased = id === last.erasure + leaves.length + 1 ? await readErased(manager, kinds, row) : null;
    if (!erased) throw new BrokenFeedError(`Erasure ${id} does not fit to what the database shows as erased.`);
    const { kind, record } = erased;
    leaves.push(leafOf(erasureOf(name), recordId, record.erased.at, erasedEntry(kind, record, sha256)));
  }
  return leaves;
}

/** @throws BrokenFeedError */
function assertGapless(kind: RecordKind, lastId: number, records: Recorded[]): void {
  const gap = records.findIndex(({ id }, index) => id !== lastId + 1 + index);
  if (gap < 0) return;
  throw new BrokenFeedError(`The feed of ${wordsOf(kind)} has no ${lastId + 1 + gap}, but later ones.`);
}
