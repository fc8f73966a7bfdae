import { recordEntry } from '@signet/verify/internal/log';
import type { FeedRecord } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import { sha256 } from '../../../crypto/hashing.js';
import { unixSeconds } from '../../../domain/unix-time.js';
import type { Recorded, RecordKind } from '../../../ledger/record-kind.js';

/** The record of this number in its feed, as the feed shows it, in the transaction of `manager`. */
export async function readRecord(manager: EntityManager, kind: RecordKind, id: number): Promise<FeedRecord | null> {
  const [row] = await kind.feed.readIn(manager, id - 1, 1, 1);
  return row?.id === id ? kind.toRecord(row) : null;
}

/** The text of the entry of a record. */
export function entryOf(kind: RecordKind, row: Recorded): string {
  return recordEntry(kind, kind.toRecord(row), unixSeconds(row.recordedAt), sha256);
}
