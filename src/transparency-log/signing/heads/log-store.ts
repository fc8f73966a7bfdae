import { rootFromTiles, type Tile, type TileHashes } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sha256 } from '../../../crypto/hashing.js';
import { ADVISORY_LOCKS } from '../../../database/advisory-locks.js';
import { countChanged } from '../../../database/changes.js';
import { readRows } from '../../../database/connections/prepared.js';
import { RecordKinds } from '../../../ledger/record-kind.js';
import { LogPlaces } from './log-place.js';
import {
  type LogState,
  type LogSnapshot,
  type LogSnapshotRow,
  nothingLogged,
  snapshotSql,
  toSnapshot,
} from './log-snapshot.js';
import { readBundles } from '../../tree/stored-bundles.js';

/** A leaf on its way into the tree. */
export interface NewLeaf {
  /** The kind of the entry, as the entry names it. */
  kind: string;
  /** The number of the record in its feed; of an entry of the map its own in the log. */
  recordId: number;
  /** Canonical JSON. */
  entry: string;
}

const TILES = `
  select wanted.place, hashes from unnest($1::smallint[], $2::bigint[]) with ordinality as wanted(level, number, place)
  join log_tile using (level, number)`;

/** Parameters: first index, kinds, record ids, entries. */
const ADD_LEAVES = `
  insert into log_leaf (leaf_index, kind, record_id, entry)
  select $1::bigint + added.place - 1, added.kind, added.record_id, added.entry
  from unnest($2::text[], $3::bigint[], $4::text[]) with ordinality as added(kind, record_id, entry, place)`;

/**
 * Parameters: size before, levels, numbers, hashes, size, kinds and their last numbers, size of the map, index of its
 * newest leaf, number of its highest tile.
 */
const ADVANCE = `
  with tile as (
    insert into log_tile (level, number, hashes)
    select * from unnest($2::smallint[], $3::bigint[], $4::bytea[])
    on conflict (level, number) do update set hashes = excluded.hashes
  ), feed as (
    insert into log_feed (kind, last_id)
    select * from unnest($6::text[], $7::bigint[])
    on conflict (kind) do update set last_id = excluded.last_id where log_feed.last_id <> excluded.last_id
  )
  update log_state set size = $5, map_size = $8, map_index = $9, map_top = $10
  where size = $1`;

/** The tree of the log, its state and its place. What writes runs in a transaction that holds the lock of the log. */
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

  /** The state of a log that has nothing yet. */
  async begin(manager: EntityManager, origin: string, verifierKey: string): Promise<LogState> {
    await this.emptyMap(manager);
    await manager.query(
      `insert into log_state (origin, verifier_key, place, written_by)
       values ($1, $2, ${await this.places.here()}, pg_current_xact_id())`,
      [origin, verifierKey],
    );
    return {
      origin,
      verifierKey,
      size: 0,
      last: nothingLogged(this.kinds),
      mapSize: 0,
      mapIndex: null,
      mapTop: 0,
      refusal: '',
    };
  }

  /** The logs that have ended here, newest first, each with the note by which its key names the next one. */
  async ended(): Promise<{ origin: string; next: string }[]> {
    return this.dataSource.query(
      'select origin, next_note as next from log_past_origin order by ended_at desc limit 20',
    );
  }

  /** Takes all out of the map, which is then computed anew from the entries. */
  async emptyMap(manager: EntityManager): Promise<void> {
    await manager.query('with past as (delete from map_past) delete from map_tile');
    await manager.query('update log_state set map_size = 0, map_top = 0');
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

  /** Writes leaves, the first of which has the number `first`. */
  async addLeaves(manager: EntityManager, first: number, leaves: NewLeaf[]): Promise<void> {
    await manager.query(ADD_LEAVES, [
      first,
      leaves.map(({ kind }) => kind),
      leaves.map(({ recordId }) => recordId),
      leaves.map(({ entry }) => entry),
    ]);
  }

  /**
   * Writes each tile that is new or has grown, whole, and the state behind it.
   * @param size that of the tree before
   * @throws Error if the tree has changed since it was read, which the lock forbids
   */
  async advance(manager: EntityManager, size: number, tiles: TileHashes[], state: LogState): Promise<void> {
    const count = await countChanged(manager, ADVANCE, [
      size,
      tiles.map(({ level }) => level),
      tiles.map(({ number }) => number),
      tiles.map(({ hashes }) => Buffer.from(hashes)),
      state.size,
      Object.keys(state.last),
      Object.values(state.last),
      state.mapSize,
      state.mapIndex,
      state.mapTop,
    ]);
    if (count !== 1) throw new Error('The tree of the log has changed while it was being extended.');
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

  /**
   * Hashes of tiles, in the order asked for; they may have grown since.
   * @throws RangeError if one is not there
   */
  async readTiles(tiles: Tile[], manager?: EntityManager): Promise<Buffer[]> {
    const values = [tiles.map(({ level }) => level), tiles.map(({ number }) => number)];
    const rows: { place: number; hashes: Buffer }[] = manager
      ? await manager.query(TILES, values)
      : await readRows(this.dataSource, ['log_tile'], TILES, values);
    const found = new Map(rows.map(({ place, hashes }) => [place, hashes]));
    return tiles.map(({ level, number }, place) => {
      const hashes = found.get(place + 1);
      if (!hashes) throw new RangeError(`The tile ${number} of level ${level} is not stored.`);
      return hashes;
    });
  }

  /** The root of the first `size` entries as the stored tiles give it; null if they do not reach so far. */
  async rootOf(size: number, manager?: EntityManager): Promise<Uint8Array | null> {
    return rootFromTiles(size, (tiles) => this.readTiles(tiles, manager), sha256).catch((error: unknown) => {
      if (error instanceof RangeError) return null;
      throw error;
    });
  }

  /** Entries from `start` on, as UTF-8. */
  async entries(start: number, count: number): Promise<Uint8Array[]> {
    const rows = await readRows<{ entry: string }>(
      this.dataSource,
      ['log_leaf'],
      'select entry from log_leaf where leaf_index >= $1 and leaf_index < $2 order by leaf_index',
      [start, start + count],
    );
    return rows.map(({ entry }) => Buffer.from(entry));
  }

  /**
   * Full bundles (C2SP tlog-tiles), from the bundle `first` on.
   * @throws RangeError if one is not there as a whole
   */
  bundles(first: number, count: number): Promise<Buffer[]> {
    return readBundles(this.dataSource, first, count);
  }

  /** The time of an entry that is there, UNIX seconds, in the transaction of `manager`. */
  async recordedAt(manager: EntityManager, index: number): Promise<number> {
    const sql = "select (entry::json ->> 'recorded_at')::float8 as at from log_leaf where leaf_index = $1";
    const [row] = (await manager.query(sql, [index])) as [{ at: number }];
    return row.at;
  }

  /** Whether the text of a record was erased. */
  async isErased(kind: string, recordId: number): Promise<boolean> {
    const sql = 'select id from erasure where kind = $1 and record_id = $2';
    return (await readRows(this.dataSource, ['erasure'], sql, [kind, recordId])).length > 0;
  }

  /** Where the entry of a record, or of its erasure, stands in the tree, and its text; null if it is not in it. */
  async leafOf(kind: string, recordId: number): Promise<{ index: number; entry: string } | null> {
    const rows = await readRows<{ index: number; entry: string }>(
      this.dataSource,
      ['log_leaf'],
      'select leaf_index as index, entry from log_leaf where kind = $1 and record_id = $2',
      [kind, recordId],
    );
    return rows[0] ?? null;
  }
}
