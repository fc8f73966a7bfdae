import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../../../database/advisory-locks.js';
import { assertSchemaThere } from '../../../database/command-database.js';
import type { OpenDatabase } from '../../../database/database.js';
import { RecordKinds } from '../../../ledger/record-kind.js';
import { emptyMap } from '../../tree/tree-store.js';
import { emptyTree } from '../../tree/tree-state.js';
import { LogRefusedError } from './log-errors.js';
import { LogPlaces } from './log-place.js';
import { type LogState, type LogSnapshot, type LogSnapshotRow, snapshotSql, toSnapshot } from './log-snapshot.js';

/**
 * The log as it is signed: its name and key, the place where it is signed, and why it is not any more; beside the state
 * of its tree. What writes runs in a transaction that holds the lock of the log.
 */
@Injectable()
export class LogStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: LogPlaces,
    private readonly kinds: RecordKinds,
  ) {}

  /** Whether the transaction of `manager` has the lock now; does not wait for it. */
  async tryLock(manager: EntityManager): Promise<boolean> {
    const [row] = (await manager.query(`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.log}) as "isOurs"`)) as [
      { isOurs: boolean },
    ];
    return row.isOurs;
  }

  /** Waits for the lock: for commands. */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.log})`);
  }

  async snapshot(manager: EntityManager = this.dataSource.manager): Promise<LogSnapshot> {
    const [row] = (await manager.query(snapshotSql(await this.places.columns(), this.kinds))) as [LogSnapshotRow];
    return toSnapshot(row, this.kinds, this.places.judge(row));
  }

  /**
   * The state of a log that has nothing yet.
   * @throws LogRefusedError if a log of this name has ended here
   */
  async begin(manager: EntityManager, origin: string, verifierKey: string): Promise<LogState> {
    if (await this.hasEnded(origin, manager)) throw new LogRefusedError(nameIsOver(origin), false);
    await this.emptyMap(manager);
    await manager.query(
      `insert into log_state (origin, verifier_key, place, written_by)
       values ($1, $2, ${await this.places.here()}, pg_current_xact_id())`,
      [origin, verifierKey],
    );
    return { ...emptyTree(this.kinds), origin, verifierKey, refusal: '' };
  }

  /**
   * Ends the log: nothing of it stays but its name, its key and its newest tree head.
   * @param nextNote the note by which its key names the next log; empty where the key is not at hand
   */
  async end(manager: EntityManager, reason: string, nextNote: string): Promise<void> {
    await manager.query(
      `insert into log_past_origin (origin, verifier_key, note, next_note, reason, started_at)
       select origin, verifier_key, coalesce((select note from log_checkpoint order by size desc limit 1), ''), $2, $1, started_at
       from log_state
       on conflict (origin) do update set note = excluded.note, next_note = excluded.next_note, reason = excluded.reason,
         ended_at = clock_timestamp()`,
      [reason, nextNote],
    );
    await manager.query(
      'truncate log_state, log_feed, log_leaf, log_tile, log_checkpoint, log_cosignature, map_tile, map_past',
    );
  }

  /** Whether a log of this name has ended here: another one of that name would be a second history of it. */
  async hasEnded(origin: string, manager: EntityManager): Promise<boolean> {
    const past: unknown[] = await manager.query('select from log_past_origin where origin = $1', [origin]);
    return past.length > 0;
  }

  /** The logs that have ended here, newest first, each with the note by which its key names the next one. */
  async ended(): Promise<{ origin: string; next: string }[]> {
    return this.dataSource.query(
      'select origin, next_note as next from log_past_origin order by ended_at desc limit 20',
    );
  }

  /** Takes all out of the map, which is then computed anew from the entries. */
  async emptyMap(manager: EntityManager): Promise<void> {
    await emptyMap(manager);
    await manager.query('update log_checkpoint set map_top = null');
  }

  /**
   * Says for all servers that the log is signed where the database is now. A trigger names the transaction.
   * @param reason why, where an operator decided it
   */
  async recordPlace(manager: EntityManager, reason = ''): Promise<void> {
    const place = await this.places.here();
    await manager.query(`update log_state set place = ${place} || jsonb_build_object('reason', $1::text)`, [reason]);
  }

  /** Whether the place is to be recorded before the next tree head, although it is the one that was recorded. */
  get isPlaceStale(): boolean {
    return this.places.isStale;
  }

  /** Follows each transaction that has recorded the place. @throws Error of the file system */
  settlePlace(): Promise<void> {
    return this.places.settle();
  }

  /** Says for all servers that nothing is signed any more, unless that was said before. */
  async refuse(reason: string): Promise<void> {
    await this.dataSource.query(`update log_state set refusal = $1 where refusal = ''`, [reason]);
  }

  /** Says for all servers that nothing is signed any more. Returns why that was so before; empty if all was well. */
  async handOver(manager: EntityManager, reason: string): Promise<string> {
    const [state] = (await manager.query('select refusal from log_state')) as { refusal: string }[];
    await this.restoreRefusal(manager, reason);
    return state?.refusal ?? '';
  }

  /** Says why nothing is signed, as it was said before a move; empty if all is well. */
  async restoreRefusal(manager: EntityManager, refusal: string): Promise<void> {
    await manager.query('update log_state set refusal = $1', [refusal]);
  }
}

function nameIsOver(origin: string): string {
  return (
    `The log ${origin} has ended in this database, and two histories under one name are a fork: ` +
    'set LOG_ORIGIN to the name of the log that comes after it.'
  );
}

/**
 * The log in the database that a command works on. How the place of the database is read is found out here, before a
 * transaction takes the one connection of an embedded database.
 * @throws DatabaseUnusableError unless the schema is up to date
 */
export async function openLogStore(source: DataSource, database: OpenDatabase, kinds: RecordKinds): Promise<LogStore> {
  await assertSchemaThere(source);
  const places = new LogPlaces(source, database);
  await places.columns();
  return new LogStore(source, places, kinds);
}
