import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { isBelow } from '../../src/transparency-log/tree/map/map-slot.js';
import { MapStore, readTiles } from '../../src/transparency-log/tree/map/map-store.js';
import { MapTile } from '../../src/transparency-log/tree/map/map-tile.js';
import { RECORD_KINDS } from '../../src/records/record-kinds.js';
import { MapWriter } from '../../src/transparency-log/tree/map/map-writer.js';
import { leafOf, type NewLeaf } from '../../src/transparency-log/tree/records/new-leaves.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MapReplay } from './map-replay.js';

/** Avatars for tiles on three levels; batches change some of them again, and more tiles than one statement writes. */
const [AVATARS, BATCH, BATCHES] = [3000, 600, 12];
/** The first batch before which readers may ask for the map. */
const SHOWN_FROM = 6;

describe('servers that take turns in extending the map', () => {
  const patched = randomAvatars();
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    source = new DataSource(dataSourceOptions(await openDatabase(loadEnvironment({ DATABASE_URL: database.url }))));
    await source.initialize();
    await source.query(
      `insert into log_leaf (leaf_index, kind, record_id, entry)
       select place - 1, 'kv', place, json_build_object('avatar', avatar, 'kind', 'kv')
       from unnest($1::text[]) with ordinality as patch(avatar, place)`,
      [patched],
    );
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  it('go on from what the others wrote, in place while readers may not ask for the map and under new numbers after that', async () => {
    const servers = Array.from({ length: 2 }, () => new MapWriter(new MapStore(source), RECORD_KINDS));
    const replay = new MapReplay();
    let top = 0;
    for (let batch = 0; batch < BATCHES; batch++) {
      const [from, to] = [batch * BATCH, (batch + 1) * BATCH];
      const server = servers[batch % servers.length]!;
      // Every other batch is told what was written, as where it has just been written.
      const written =
        batch % 2 === 1 ? patched.slice(from, to).map((avatar, place) => patchLeaf(avatar, from + place)) : null;
      const map = await source.transaction((manager) =>
        server.takeIn(manager, top, [from, to], batch >= SHOWN_FROM, written),
      );
      expect(map.top === top).toBe(batch > 0 && batch < SHOWN_FROM);
      top = map.top;
      for (const avatar of patched.slice(from, to)) replay.apply({ kind: 'kv', avatar, id: 0 });

      expect(Buffer.from(map.root).toString('hex')).toBe(replay.root());
      // No row is left behind: each is a tile of the map, or is to go.
      const sql =
        'select (select count(*)::int from map_tile) as rows, array(select unnest(tiles) from map_past) as past';
      const [{ rows, past }] = await source.query<[{ rows: number; past: number[] }]>(sql);
      expect(past.length > 0).toBe(batch >= SHOWN_FROM);
      expect(rows - past.length).toBe(await tilesOf(map.top));
    }
  });
  /** How many tiles the map has. */
  const tilesOf = async (top: number) => {
    let count = 0;
    for (let level = [top]; level.length > 0;) {
      count += level.length;
      const tiles = [...(await readTiles(source.manager, level)).values()].map((bytes) => MapTile.decode(bytes).all());
      level = tiles.flat().flatMap((slot) => (isBelow(slot) ? [slot.number] : []));
    }
    return count;
  };

  it('sign nothing over a map of which tiles are missing', async () => {
    const server = new MapWriter(new MapStore(source), RECORD_KINDS);
    const [{ top }] = await source.query<[{ top: number }]>('select max(number) as top from map_tile');
    const taken = source.transaction(async (manager) => {
      await manager.query('delete from map_tile where number <> $1', [top]);
      return server.takeIn(manager, top, [0, BATCH], true);
    });

    await expect(taken).rejects.toThrow(/tile .* of the map is missing/);
  });
});

function patchLeaf(avatar: string, index: number): NewLeaf {
  return leafOf('kv', index + 1, 0, JSON.stringify({ avatar, kind: 'kv' }));
}

/** The Avatar of each patch, in the order of the log. */
function randomAvatars(): string[] {
  const random = new SeededRandom('servers that take turns in the map');
  return Array.from({ length: BATCH * BATCHES }, () => `0x02${String(random.below(AVATARS)).padStart(64, '0')}`);
}
