import { provenValue } from '@signet/verify/map';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { findKey } from '../../src/transparency-log/map/map-proofs.js';
import { MapStore } from '../../src/transparency-log/map/map-store.js';
import { type KeyChange, MAP_TREE, MapTrees } from '../../src/transparency-log/map/map-trees.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

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

describe('states of the map that are no longer asked for', () => {
  let database: TestDatabase;
  let source: DataSource;
  let store: MapStore;
  const roots = new Map<number, Uint8Array>();

  beforeAll(async () => {
    database = await createTestDatabase();
    source = new DataSource(dataSourceOptions(await openDatabase(loadEnvironment({ DATABASE_URL: database.url })), []));
    await source.initialize();
    store = new MapStore(source);
    for (const [size, values] of STATES) roots.set(size, await write(size, values));
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  const write = (size: number, values: (string | null)[]) =>
    source.transaction(async (manager) => {
      const trees = new MapTrees((tiles) => store.read(tiles, manager));
      await trees.load(KEYS.map((key) => ({ tree: MAP_TREE, key })));
      const changes = KEYS.map((key, index): KeyChange => [key, values[index] ? { key, value: values[index] } : null]);
      const root = await trees.change(MAP_TREE, changes);
      await store.write(manager, trees.takeChanges(true), size, true);
      return root;
    });
  /** What the map had after `size` entries, each value proved. */
  const valuesAt = async (size: number, root: Uint8Array) => {
    const values: (string | null)[] = [];
    for (const key of KEYS) {
      const { leaf, proof } = await findKey((...path) => store.readPath(...path, size), MAP_TREE, key);
      const proved = provenValue(root, key, proof, (bytes) => createHash('sha256').update(bytes).digest());
      values.push(proved ? (leaf?.value ?? null) : 'not proved');
    }
    return values;
  };
  const rowsOf = async () =>
    (
      await source.query<{ path: string; since: string; is_there: boolean }[]>(
        'select path, since, slots is not null as is_there from map_tile order by path, since',
      )
    ).map(({ path, since, is_there }) => `${path}@${since}${is_there ? '' : ' gone'}`);

  it('are there until then, each whole', async () => {
    for (const [size, values] of STATES) expect(await valuesAt(size, roots.get(size)!)).toEqual(values);
    expect(await rowsOf()).toContain('aaaa@20 gone');
  });

  it('go, with the rows of tiles that were gone, and what may still be asked for stays', async () => {
    const before = await rowsOf();
    await store.forget(25, 5);
    const after = await rowsOf();

    expect(before.filter((row) => !after.includes(row))).toEqual(before.filter((row) => /@10$|gone$/.test(row)));
    for (const size of [25, 30, 40]) {
      const at = size === 25 ? 20 : size;
      expect(await valuesAt(size, roots.get(at)!)).toEqual(STATES.get(at));
    }
  });

  it('go once, whatever another server has forgotten meanwhile', async () => {
    await new MapStore(source).forget(35, 5);
    await store.forget(45, 5);

    expect(await valuesAt(40, roots.get(40)!)).toEqual(STATES.get(40));
    expect((await rowsOf()).every((row) => row.endsWith('@40'))).toBe(true);
  });
});
