import {
  consistencyFromTiles,
  inclusionsFromTiles,
  type ReadTiles,
  rootFromTiles,
  type Tile,
  type TileHashes,
} from '@signet/verify/internal/log';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sha256 } from '../../crypto/hashing.js';
import { countChanged } from '../../database/changes.js';
import { GatheredRead, type KeyedQuery } from '../../database/connections/gathered-read.js';
import { readRows } from '../../database/connections/prepared.js';
import type { NewLeaf } from './records/new-leaves.js';
import { readBundles } from './stored-bundles.js';
import type { TreeState } from './tree-state.js';

const TILES = `
  select wanted.place, hashes from unnest($1::smallint[], $2::bigint[]) with ordinality as wanted(level, number, place)
  join log_tile using (level, number)`;

const RECORD = { kind: 'text', record: 'bigint' };
const LEAF: KeyedQuery = {
  key: RECORD,
  tables: ['log_leaf'],
  sql: 'select leaf_index as index, entry from log_leaf where kind = key.kind and record_id = key.record',
};
const ERASURE: KeyedQuery = {
  key: RECORD,
  tables: ['erasure'],
  sql: 'select id from erasure where kind = key.kind and record_id = key.record',
};

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

/** An entry in the tree. */
interface Leaf {
  index: number;
  /** The text of the entry. */
  entry: string;
}

/**
 * The tree of a log: its entries, and the tiles of their hashes. What writes runs in a transaction that holds the lock
 * of the log.
 */
@Injectable()
export class TreeStore {
  private readonly tilesAsked: ReadTiles = (tiles) => this.readTiles(tiles);

  private readonly leaves: GatheredRead<Leaf>;
  private readonly erasures: GatheredRead<{ id: number }>;

  constructor(private readonly dataSource: DataSource) {
    this.leaves = new GatheredRead(dataSource, LEAF);
    this.erasures = new GatheredRead(dataSource, ERASURE);
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
  async advance(manager: EntityManager, size: number, tiles: TileHashes[], state: TreeState): Promise<void> {
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
    return (await this.erasures.rows(kind, recordId)).length > 0;
  }

  /** Where the entry of a record, or of its erasure, stands in the tree; null if it is not in it. */
  async leafOf(kind: string, recordId: number): Promise<Leaf | null> {
    const [leaf] = await this.leaves.rows(kind, recordId);
    return leaf ?? null;
  }

  /** The proof that an entry is in the tree of `size` entries. @throws RangeError if a tile is not there */
  async inclusionProof(index: number, size: number): Promise<Uint8Array[]> {
    const [proof] = await this.inclusionProofs([index], size);
    return proof!;
  }

  /** The proofs that entries are in the tree of `size` entries. @throws RangeError if a tile is not there */
  inclusionProofs(indexes: readonly number[], size: number): Promise<Uint8Array[][]> {
    return inclusionsFromTiles(indexes, size, this.tilesAsked, sha256);
  }

  /** The proof that the tree of `size1` entries begins that of `size2`. @throws RangeError if a tile is not there */
  consistencyProof(size1: number, size2: number): Promise<Uint8Array[]> {
    return consistencyFromTiles(size1, size2, this.tilesAsked, sha256);
  }
}

/** Takes all out of the map, which is then computed anew from the entries. */
export async function emptyMap(manager: EntityManager): Promise<void> {
  await manager.query('with past as (delete from map_past) delete from map_tile');
  await manager.query('update log_state set map_size = 0, map_top = 0');
}
