import { type Erasure, isErased } from '@signet/verify';
import type { FeedRecord } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import type { RecordKind, RecordKinds } from '../../../ledger/record-kind.js';
import { readRecord } from './feed-records.js';

/** An erasure that the database has. */
export interface ErasureRow {
  /** The number in the order of the erasures, without gaps. */
  id: number;
  /** The name of the kind of the record. */
  kind: string;
  /** The number of the erased record in its feed. */
  recordId: number;
}

/** A record whose text was erased. */
export interface ErasedRecord {
  kind: RecordKind;
  record: FeedRecord & { erased: Erasure };
}

/** The newest erasure, as an SQL expression; 0 if there is none. */
export const NEWEST_ERASURE_ID = '(select coalesce(max(id), 0) from erasure)';

/** Erasures behind `lastId`, ascending, in the transaction of `manager`. */
export async function readErasures(manager: EntityManager, lastId: number, count: number): Promise<ErasureRow[]> {
  const sql = 'select id, kind, record_id as "recordId" from erasure where id > $1 order by id limit $2';
  return manager.query(sql, [lastId, count]);
}

/** The newest erasure, in the transaction of `manager`; null before the first. */
export async function newestErasure(manager: EntityManager): Promise<ErasureRow | null> {
  const sql = 'select id, kind, record_id as "recordId" from erasure order by id desc limit 1';
  return ((await manager.query(sql)) as ErasureRow[])[0] ?? null;
}

/** Adds an erasure, in the transaction of `manager`, which holds the lock of the log. */
export async function addErasure(manager: EntityManager, kind: string, recordId: number): Promise<void> {
  const sql = `insert into erasure (id, kind, record_id) select ${NEWEST_ERASURE_ID} + 1, $1, $2`;
  await manager.query(sql, [kind, recordId]);
}

/** The hash that the log has of a record; null while it has none. In the transaction of `manager`. */
export async function readLogged(manager: EntityManager, kind: string, recordId: number): Promise<string | null> {
  const sql = "select entry::json ->> 'record' as record from log_leaf where kind = $1 and record_id = $2";
  const rows: { record: string }[] = await manager.query(sql, [kind, recordId]);
  return rows[0]?.record ?? null;
}

/** What stands in place of an erased record; null where that is not there, or is not erased. */
export async function readErased(
  manager: EntityManager,
  kinds: RecordKinds,
  { kind: name, recordId }: Pick<ErasureRow, 'kind' | 'recordId'>,
): Promise<ErasedRecord | null> {
  const kind = kinds.get(name);
  const record = await readRecord(manager, kind, recordId);
  return record && isErased(record) ? { kind, record } : null;
}
