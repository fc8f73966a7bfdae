import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { readRows } from '../../database/connections/prepared.js';
import { decodeTile, encodeTile, type MapTile } from './map-tile.js';
import { type ChangedTile, MAP_TREE, type TilePlace } from './map-trees.js';

/** Parameters: trees, paths, the number of entries after which the tree is read. */
const TILES = `
  select place, slots from unnest($1::bytea[], $2::text[]) with ordinality as wanted(tree, path, place)
  cross join lateral (
    select slots, until from map_tile tile
    where tile.tree = wanted.tree and tile.path = wanted.path and since <= $3
    order by since desc limit 1
  ) as newest
  where until is null or until > $3`;

/** Parameters: tree, number of entries. In the order of the keys. */
const ALL_TILES = `
  select path, slots from (
    select distinct on (path) path, slots, until from map_tile where tree = $1 and since <= $2
    order by path, since desc
  ) as newest
  where until is null or until > $2 order by path`;

const END = `
  update map_tile tile set until = $3 from unnest($1::bytea[], $2::text[]) as ended(tree, path)
  where tile.tree = ended.tree and tile.path = ended.path and until is null`;
const DROP = `
  delete from map_tile tile using unnest($1::bytea[], $2::text[]) as ended(tree, path)
  where tile.tree = ended.tree and tile.path = ended.path`;
const ADD = `
  insert into map_tile (tree, path, slots, since)
  select tree, path, slots, $4 from unnest($1::bytea[], $2::text[], $3::bytea[]) as added(tree, path, slots)`;

/**
 * The tiles of the map. Each is kept as it was after each batch for as long as somebody may ask for a tree head of
 * that time, so that all of an answer is from one state.
 */
@Injectable()
export class MapStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Tiles as they were after `size` entries, in the order asked for; null for each that was not there. */
  async read(places: TilePlace[], size: number, manager?: EntityManager): Promise<(MapTile | null)[]> {
    const values = [places.map(({ tree }) => bytesOf(tree)), places.map(({ path }) => path), size];
    const rows: { place: number; slots: Buffer }[] = manager
      ? await manager.query(TILES, values)
      : await readRows(this.dataSource, TILES, values);
    const found = new Map(rows.map(({ place, slots }) => [place, slots]));
    return places.map((_, index) => {
      const slots = found.get(index + 1);
      return slots ? decodeTile(slots) : null;
    });
  }

  /** All tiles of a tree as they were after `size` entries. */
  async readTree(tree: string, size: number): Promise<{ path: string; tile: MapTile }[]> {
    const rows = await readRows<{ path: string; slots: Buffer }>(this.dataSource, ALL_TILES, [bytesOf(tree), size]);
    return rows.map(({ path, slots }) => ({ path, tile: decodeTile(slots) }));
  }

  /**
   * Writes what changed with the entries up to `size`, in the transaction of `manager`, which holds the lock of the
   * log.
   * @param isShown whether tiles as they were may still be asked for
   */
  async write(manager: EntityManager, changed: ChangedTile[], size: number, isShown: boolean): Promise<void> {
    const placesOf = (tiles: ChangedTile[]) => [
      tiles.map(({ place }) => bytesOf(place.tree)),
      tiles.map(({ place }) => place.path),
    ];
    const before = changed.filter(({ wasThere }) => wasThere);
    if (isShown) await manager.query(END, [...placesOf(before), size]);
    else await manager.query(DROP, placesOf(before));
    const there = changed.filter(({ tile }) => tile !== null);
    await manager.query(ADD, [...placesOf(there), there.map(({ tile }) => encodeTile(tile!)), size]);
  }

  /** Forgets how tiles were in trees of fewer than `size` entries. */
  async forget(size: number): Promise<void> {
    await this.dataSource.query('delete from map_tile where until <= $1', [size]);
  }
}

function bytesOf(tree: string): Buffer {
  return tree === MAP_TREE ? Buffer.alloc(0) : Buffer.from(tree, 'hex');
}
