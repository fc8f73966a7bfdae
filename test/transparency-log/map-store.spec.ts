import { provenValue } from '@signet/verify/internal/map';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { MapStore, readTiles } from '../../src/transparency-log/tree/map/map-store.js';
import { MapTile } from '../../src/transparency-log/tree/map/map-tile.js';
import { type KeyChange, MapTrees } from '../../src/transparency-log/tree/map/map-trees.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { readProof } from './read-proof.js';

/** Two keys that share five digits, so that tiles come and go with the second of them, and one that is far away. */
const [NEAR, BESIDE, FAR] = ['aaaaa1', 'aaaaa2', '5'].map((digits) => Buffer.from(digits.padEnd(64, '0'), 'hex'));
const KEYS = [NEAR!, BESIDE!, FAR!];
/** By the number of entries: the value of each key then, if it had one. */
const STATES = new Map([
  [10, ['a', 'b', null]],
  [20, ['a', null, null]],
  [30, ['a', null, 'c']],
  [40, ['d', 'e', 'c']],
]);

describe('a store of the map', () => {
  let database: TestDatabase;
  let source: DataSource;
  let store: MapStore;
  /** By the number of entries: the root of the map then, and the number of its highest tile. */
  const maps = new Map<number, { hash: Uint8Array; number: number }>();

  beforeAll(async () => {
    database = await createTestDatabase();
    source = new DataSource(dataSourceOptions(await openDatabase(loadEnvironment({ DATABASE_URL: database.url }))));
    await source.initialize();
    store = new MapStore(source);
    for (const [size, values] of STATES) maps.set(size, await write(size, values));
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  const write = (size: number, values: (string | null)[]) =>
    source.transaction(async (manager) => {
      const stored = await store.stored(manager, Math.max(0, ...topsOf(maps)), true);
      const trees = new MapTrees((numbers) => readTiles(manager, numbers), stored);
      await trees.load(KEYS.map((key) => ({ key })));
      const changes = KEYS.map((key, index): KeyChange => [key, values[index] ? { key, value: values[index] } : null]);
      const hash = await trees.change(changes);
      await store.write(manager, trees.takeChanges(true), size, true);
      return { hash, number: trees.top };
    });
  /** What the map had after `size` entries, each value proved. */
  const valuesAt = async (size: number) => {
    const map = maps.get(size)!;
    const values: (string | null)[] = [];
    for (const key of KEYS) {
      const { leaf, proof } = await store.find(map, key);
      const proved = provenValue(map.hash, key, readProof(proof), (bytes) =>
        createHash('sha256').update(bytes).digest(),
      );
      values.push(proved ? (leaf?.value ?? null) : 'not proved');
    }
    return values;
  };
  const numbersOf = async () => {
    const sql = 'select array(select number::int from map_tile order by number) as numbers';
    return (await source.query<{ numbers: number[] }[]>(sql))[0]!.numbers;
  };

  it('keeps each state of the map whole until it is told to forget it', async () => {
    for (const [size, values] of STATES) expect(await valuesAt(size)).toEqual(values);
  });

  it('forgets the states of fewer entries, and keeps all that later ones have', async () => {
    const before = await numbersOf();
    await store.forget(25);
    const after = await numbersOf();

    // The map of 10 entries had two tiles for each digit that two keys share, and the highest one.
    expect(before.slice(0, before.length - after.length)).toEqual(before.filter((number) => !after.includes(number)));
    expect(before.length - after.length).toBe(maps.get(10)!.number);
    await expect(valuesAt(10)).rejects.toThrow(/is missing/);
    for (const size of [20, 30, 40]) expect(await valuesAt(size)).toEqual(STATES.get(size));
  });

  it('forgets a few states at a time, the oldest first', async () => {
    await source.query('insert into map_past select since, array[900000 + since] from generate_series(1, 9) as since');
    await source.query("insert into map_tile select 900000 + number, '' from generate_series(1, 9) as number");
    const left = async () =>
      source.query<{ since: number; isThere: boolean }[]>(
        `select since::int, exists (select from map_tile where number = tiles[1]) as "isThere" from map_past
         where since < 10 order by since`,
      );
    await store.forget(8);

    const ofTiles = await left();
    expect(ofTiles.map(({ since }) => since)).toEqual([5, 6, 7, 8, 9]);
    expect(ofTiles.every(({ isThere }) => isThere)).toBe(true);
    await store.forget(8);
    expect((await left()).map(({ since }) => since)).toEqual([9]);
    await store.forget(9);
    expect(await left()).toEqual([]);
    expect(await source.query('select from map_tile where number > 900000')).toEqual([]);
  });

  it('does not keep a reader busy for ever where the tiles of a database lead in a circle', async () => {
    const circle = { hash: Buffer.alloc(32), number: 1_000_000 };
    const tile = MapTile.empty();
    tile.set(0, circle);
    tile.set(1, { key: Buffer.alloc(32, 0x11), value: 'a' });
    const zeros = Buffer.alloc(32);
    await source.query('insert into map_tile (number, bytes) values ($1, $2)', [circle.number, tile.encode()]);

    await expect(store.find(circle, zeros)).rejects.toThrow(RangeError);
    expect((await store.leavesOf(circle, 1000)).length).toBeLessThan(1000);
    const trees = new MapTrees((numbers) => readTiles(source.manager, numbers), {
      top: circle.number,
      next: circle.number + 1,
      isShown: true,
    });
    await expect(trees.load([{ key: zeros }])).rejects.toThrow(RangeError);
    await source.query('delete from map_tile where number = $1', [circle.number]);
  });

  it('has only the newest map left in the end, whatever another server has forgotten meanwhile', async () => {
    await new MapStore(source).forget(35);
    await store.forget(45);

    expect(await valuesAt(40)).toEqual(STATES.get(40));
    // A tile for each digit that two keys share, and the highest one.
    expect(await numbersOf()).toHaveLength(6);
    expect(await source.query('select from map_past')).toEqual([]);
  });
});

function topsOf(maps: Map<number, { number: number }>): number[] {
  return [...maps.values()].map(({ number }) => number);
}
