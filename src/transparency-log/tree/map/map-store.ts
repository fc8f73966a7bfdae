import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { GatheredRead } from '../../../database/connections/gathered-read.js';
import { readRows } from '../../../database/connections/prepared.js';
import { chunksOf } from '../../../domain/lists.js';
import { type FoundKey, MapProofs } from './map-proofs.js';
import { isBelow, isLeaf, type MapLeaf, type Slot } from './map-slot.js';
import { MapTile } from './map-tile.js';
import type { ChangedTiles, StoredMap } from './map-trees.js';

/**
 * The tiles on the path of a key, from one on that stands behind `depth` hex digits. Where in its bytes a tile has the
 * number of the next one is as map-tile-layout.ts says. Zeros stand behind one that was cut short, which
 * `MapTile.decode` then refuses.
 */
const PATH = {
  key: { top: 'bigint', leaf: 'bytea', depth: 'int' },
  tables: ['map_tile'],
  sql: `
    with recursive path(depth, bytes) as (
      select key.depth, tile.bytes from map_tile tile where tile.number = key.top
      union all
      select path.depth + 1, tile.bytes
      from path
      cross join lateral (
        select get_byte(head, 2) << 8 | get_byte(head, 3) as branched,
          get_byte(key.leaf, path.depth / 2) >> (4 - path.depth % 2 * 4) & 15 as digit
        from (select path.bytes || '\\x00000000'::bytea as head) as filled
      ) as way
      join map_tile tile on tile.number = ('x' || encode(substring(
        path.bytes from 37 + 38 * bit_count((branched & ((1 << digit) - 1))::bit(16))::int for 6), 'hex'))::bit(48)::bigint
      where branched >> digit & 1 = 1 and path.depth < 63
    )
    select bytes from path order by depth`,
};

const TILES = 'select number, bytes from map_tile where number = any($1::bigint[])';

/** Tiles that one statement writes: it is made and sent without giving requests a turn. */
const WRITTEN_AT_ONCE = 200;

/** Parameters: the bytes of all tiles in one; the number of each, where it begins, its length. */
const ADD = `
  insert into map_tile (number, bytes)
  select number, substring($1::bytea from start for length)
  from unnest($2::bigint[], $3::int[], $4::int[]) as added(number, start, length)`;
const REPLACE = `${ADD} on conflict (number) do update set bytes = excluded.bytes`;

/**
 * Parameters: a number of entries. Bounded, because there is much to forget when witnesses were silent for long. For a
 * join instead of the array PostgreSQL would read the whole table.
 */
const FORGET = `
  with old as (select since, tiles from map_past where since <= $1 order by since limit 4),
    gone as (delete from map_tile where number = any(array(select unnest(tiles) from old))),
    forgotten as (delete from map_past using old where map_past.since = old.since)
  select exists (select from map_past) as "hasMore"`;

/**
 * The tiles of the map. While readers may ask for the map, a stored tile is not changed: what becomes of it, and of all
 * tiles above it, is stored under new numbers, and it goes when readers can no longer ask for a tree head of its time.
 * So all of an answer is from one state.
 */
@Injectable()
export class MapStore {
  private readonly proofs: MapProofs;

  constructor(private readonly dataSource: DataSource) {
    const paths = new GatheredRead<{ bytes: Buffer }>(dataSource, PATH);
    this.proofs = new MapProofs(async (number, key, depth) => {
      const rows = await paths.rows(number, Buffer.from(key), depth);
      return rows.map(({ bytes }) => MapTile.decode(bytes));
    });
  }

  /**
   * What a tree says of a key of 32 bytes.
   * @throws RangeError if a tile is missing, or what is stored does not lead to the root of the tree
   */
  async find(tree: Slot, key: Uint8Array): Promise<FoundKey> {
    return this.proofs.find(tree, key);
  }

  /**
   * The leaves of a tree, in no order; not all if they are more than `most`. Ends where a key can have no more digits,
   * whatever the tiles name.
   */
  async leavesOf(tree: Slot, most: number): Promise<MapLeaf[]> {
    const leaves: MapLeaf[] = [];
    for (let level = [tree], depth = 0; depth < 64; depth++) {
      leaves.push(...level.filter(isLeaf));
      const numbers = level.filter(isBelow).map(({ number }) => number);
      if (numbers.length === 0 || numbers.length > most) break;
      const rows = await readRows<{ bytes: Buffer }>(this.dataSource, ['map_tile'], TILES, [arrayOf(numbers)]);
      level = rows.flatMap(({ bytes }) => MapTile.decode(bytes).all());
    }
    return leaves;
  }

  /** What is stored, in the transaction of `manager`, which holds the lock of the log. */
  async stored(manager: EntityManager, top: number, isShown: boolean): Promise<StoredMap> {
    const [row] = (await manager.query('select max(number) as last from map_tile')) as [{ last: number | null }];
    return { top, next: (row.last ?? 0) + 1, isShown };
  }

  /**
   * Writes what has changed, in the transaction of `manager`, which holds the lock of the log.
   * @param size the number of entries from which on the map is so
   * @param isShown whether readers may ask for the map as it was before
   */
  async write(manager: EntityManager, changed: ChangedTiles, size: number, isShown: boolean): Promise<void> {
    const { numbers, tiles, past } = changed;
    const parts = chunksOf(numbers, WRITTEN_AT_ONCE);
    for (const [index, some] of chunksOf(tiles, WRITTEN_AT_ONCE).entries()) {
      const lengths = some.map(({ length }) => length);
      let end = 1;
      const starts = lengths.map((length) => (end += length) - length);
      const values = [parts[index]!, starts, lengths].map(arrayOf);
      await manager.query(isShown ? ADD : REPLACE, [Buffer.concat(some), ...values]);
    }
    if (past.length === 0) return;
    if (isShown) await manager.query('insert into map_past (since, tiles) values ($1, $2)', [size, arrayOf(past)]);
    else await manager.query('delete from map_tile where number = any($1::bigint[])', [arrayOf(past)]);
  }

  /**
   * Forgets tiles that only maps of fewer than `size` entries have, those of the oldest ones first.
   * @returns whether former tiles were still kept before that
   */
  async forget(size: number): Promise<boolean> {
    const [{ hasMore }] = (await this.dataSource.query(FORGET, [size])) as [{ hasMore: boolean }];
    return hasMore;
  }
}

/** The bytes of tiles by their numbers, in the transaction of `manager`. */
export async function readTiles(manager: EntityManager, numbers: number[]): Promise<Map<number, Buffer>> {
  const rows: { number: number; bytes: Buffer }[] = await manager.query(TILES, [arrayOf(numbers)]);
  return new Map(rows.map(({ number, bytes }) => [number, bytes]));
}

/** Numbers as the text of an array, which the driver would write element by element. */
function arrayOf(numbers: number[]): string {
  return `{${numbers.join(',')}}`;
}
