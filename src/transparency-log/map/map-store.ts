import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { GatheredRead } from '../../database/connections/gathered-read.js';
import { readRows } from '../../database/connections/prepared.js';
import { MapTile } from './map-tile.js';
import { type ChangedTile, MAP_TREE, type TilePlace } from './map-trees.js';

/** Tiles that one look for a key reads at most: more levels than trees of a few million keys have. */
const LEVELS_AT_ONCE = 8;

/** Tiles on the path of a key, as they were after `size` entries, from the one behind its first `depth` digits on. */
const PATH = {
  key: { tree: 'bytea', digits: 'text', depth: 'int', size: 'bigint' },
  sql: `
    select length as position, tile.slots
    from generate_series(key.depth, least(length(key.digits), key.depth + ${LEVELS_AT_ONCE - 1})) as length
    cross join lateral (
      select slots from map_tile where tree = key.tree and path = left(key.digits, length) and since <= key.size
      order by since desc limit 1
    ) as tile
    where tile.slots is not null`,
};

/** Parameters: trees, paths. What is newest. */
const TILES = `
  select place, slots from unnest($1::bytea[], $2::text[]) with ordinality as wanted(tree, path, place)
  cross join lateral (
    select slots from map_tile tile where tile.tree = wanted.tree and tile.path = wanted.path
    order by since desc limit 1
  ) as newest
  where slots is not null`;

/** Parameters: tree, number of entries. In the order of the paths. */
const ALL_TILES = `
  select slots from (
    select distinct on (path) path, slots from map_tile where tree = $1 and since <= $2 order by path, since desc
  ) as newest
  where slots is not null order by path`;

/** Parameters: trees, paths, the bytes of all tiles in one, where each begins, its length (0: it is gone), since. */
const ADD = `
  insert into map_tile (tree, path, since, slots)
  select tree, path, $6, case when length > 0 then substring($3::bytea from start for length) end
  from unnest($1::bytea[], $2::text[], $4::int[], $5::int[]) as added(tree, path, start, length)`;
const REPLACE = `${ADD} on conflict (tree, path, since) do update set slots = excluded.slots`;

/** Parameters: trees, paths. */
const DROP = `
  delete from map_tile tile using unnest($1::bytea[], $2::text[]) as gone(tree, path)
  where tile.tree = gone.tree and tile.path = gone.path`;

/** Parameters: the number of entries up to which states were forgotten before, and up to which they are now. */
const FORGET = `
  delete from map_tile past using map_tile newer
  where newer.since > 0 and newer.since > $1 and newer.since <= $2
    and past.tree = newer.tree and past.path = newer.path and past.since < newer.since`;
const FORGET_GONE = 'delete from map_tile where since > 0 and since > $1 and since <= $2 and slots is null';

/**
 * The tiles of the map. Each is kept as it was after each batch for as long as somebody may ask for a tree head of
 * that time, so that all of an answer is from one state: a tile that changes is one more row, and old rows go later.
 */
@Injectable()
export class MapStore {
  private readonly paths: GatheredRead<{ position: number; slots: Buffer }>;
  /** The number of entries up to which this server has forgotten states. */
  private forgotten = 0;

  constructor(private readonly dataSource: DataSource) {
    this.paths = new GatheredRead(dataSource, PATH);
  }

  /**
   * Tiles on the path of a key, as they were after `size` entries: the one behind its first `depth` digits and those
   * below it, until the tree has none, and at most eight.
   * @param digits the key or its beginning, hex
   */
  async readPath(tree: string, digits: string, depth: number, size: number): Promise<MapTile[]> {
    const rows = await this.paths.rows(bytesOf(tree), digits, depth, size);
    const end = rows.findIndex(({ position }, index) => position !== depth + index);
    return (end < 0 ? rows : rows.slice(0, end)).map(({ slots }) => MapTile.decode(slots));
  }

  /** The bytes of tiles as they are, in the order asked for; null for each that is not there. */
  async read(places: TilePlace[], manager: EntityManager): Promise<(Buffer | null)[]> {
    if (places.length === 0) return [];
    const rows: { place: number; slots: Buffer }[] = await manager.query(TILES, columnsOf(places));
    const found = new Map(rows.map(({ place, slots }) => [place, slots]));
    return places.map((_, index) => found.get(index + 1) ?? null);
  }

  /** All tiles of a tree as they were after `size` entries. */
  async readTree(tree: string, size: number): Promise<MapTile[]> {
    const rows = await readRows<{ slots: Buffer }>(this.dataSource, ALL_TILES, [bytesOf(tree), size]);
    return rows.map(({ slots }) => MapTile.decode(slots));
  }

  /**
   * Writes what changed with the entries up to `size`, in the transaction of `manager`, which holds the lock of the
   * log.
   * @param isShown whether tiles as they were may still be asked for
   */
  async write(manager: EntityManager, changed: ChangedTile[], size: number, isShown: boolean): Promise<void> {
    if (changed.length === 0) return;
    const written = changed.filter(({ bytes, wasThere }) => bytes !== null || (isShown && wasThere));
    const tiles = written.map(({ bytes }) => bytes ?? Buffer.alloc(0));
    const lengths = tiles.map(({ length }) => length);
    let end = 1;
    const starts = lengths.map((length) => (end += length) - length);
    const values = [
      ...columnsOf(written.map(({ place }) => place)),
      Buffer.concat(tiles),
      `{${starts.join(',')}}`,
      `{${lengths.join(',')}}`,
      isShown ? size : 0,
    ];
    await manager.query(isShown ? ADD : REPLACE, values);
    const gone = isShown ? [] : changed.filter(({ bytes, wasThere }) => bytes === null && wasThere);
    if (gone.length > 0) await manager.query(DROP, columnsOf(gone.map(({ place }) => place)));
  }

  /**
   * Forgets how tiles were in trees of fewer than `size` entries.
   * @param oldest the size of the oldest tree head that is kept: what was older than that is forgotten already
   */
  async forget(size: number, oldest: number): Promise<void> {
    const range = [Math.max(oldest, this.forgotten), size];
    if (range[0]! >= size) return;
    await this.dataSource.query(FORGET, range);
    await this.dataSource.query(FORGET_GONE, range);
    this.forgotten = size;
  }
}

/** Trees and paths as the texts of arrays, which the driver would write element by element. */
function columnsOf(places: TilePlace[]): [trees: string, paths: string] {
  const trees = places.map(({ tree }) => `"\\\\x${tree}"`);
  const paths = places.map(({ path }) => `"${path}"`);
  return [`{${trees.join(',')}}`, `{${paths.join(',')}}`];
}

function bytesOf(tree: string): Buffer {
  return tree === MAP_TREE ? Buffer.alloc(0) : Buffer.from(tree, 'hex');
}
