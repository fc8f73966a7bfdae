import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TILE_WIDTH } from '@signet/verify/internal/log';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import {
  copyMigratedCluster,
  createTestDatabase,
  startEmbeddedTestDatabase,
  type TestDatabase,
} from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { launchService, messagesIn, type ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { problemsOfLog } from './log-checks.js';
import { headOfRecords, readHead } from './log-client.js';
import { oldLinks, oldPatches } from './old-records.js';
import { COUNTED, runLogCommand } from './tampering.js';

const LINKS = Number(process.env.BACKFILL_LINKS ?? 20_000);
const PATCHES = Math.floor(LINKS / 2);
const RECORDS = LINKS + PATCHES;
/** With the link that is written meanwhile, and the entry of the map. */
const SIZE = RECORDS + 2;
/** From this entry on the database keeps the log waiting, so that the server can be killed in the middle. */
const HELD_FROM = 3000;
const HOLD = 4711;
/** More than one batch of the embedded engine. */
const EMBEDDED_LINKS = 250;
const LOG_SCRIPT = fileURLToPath(new URL('../../scripts/log.mjs', import.meta.url));

const HOLDING = [
  `create function hold_log() returns trigger language plpgsql as $$
   begin perform pg_advisory_xact_lock_shared(${HOLD}); return new; end $$`,
  `create trigger hold_log before insert on log_leaf for each row when (new.leaf_index = ${HELD_FROM}) execute function hold_log()`,
  `select pg_advisory_lock(${HOLD})`,
];

/** The second part of an older log waits in the same way, behind what the map takes in with the first batch. */
const HELD_MAP = 3100;
const HOLDING_MAP = [
  `create function hold_map() returns trigger language plpgsql as $$
   begin
     if new.map_size > ${HELD_MAP} then perform pg_advisory_xact_lock_shared(${HOLD}); end if;
     return new;
   end $$`,
  `create trigger hold_map before update on log_state for each row execute function hold_map()`,
  `select pg_advisory_lock(${HOLD})`,
];

let database: TestDatabase;
let operator: pg.Client;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  for (const statement of [...oldLinks(LINKS), ...oldPatches(PATCHES), ...HOLDING]) await operator.query(statement);
});
afterAll(async () => {
  await service?.kill9();
  await operator?.end();
  await database?.drop();
});

describe('a log that begins on an old database', () => {
  const start = () => launchService({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }).ready();
  const taken = async () => {
    const { rows } = await operator.query<{ size: number; heads: number }>(
      'select size::int, (select count(*)::int from log_checkpoint) as heads from log_state',
    );
    return rows[0] ?? { size: 0, heads: 0 };
  };
  /** How far it said that it is, of how many. */
  const progressIn = (output: string) =>
    [...messagesIn(output).matchAll(/takes in what is there: (\d+) of (\d+) records/g)].map(([, done, all]) => [
      Number(done),
      Number(all),
    ]);

  it('takes in all that is there in rounds, says how far it is, and goes on where it was after kill -9, while writers write', async () => {
    service = await start();
    await until(async () => (await taken()).size > 0);
    await until(() => isHeld(operator));

    // Writes do not wait for the log.
    const written = await linkWallet(service, anAvatar('alice'), aWallet('one'));
    expect(written.status).toBe(201);
    const before = (await service.get('/v1/log')).body;
    const head = await service.get('/log/checkpoint');
    const held = await taken();
    const [done, all] = progressIn(service.output())[0]!;
    await service.kill9();

    expect(held.size).toBeGreaterThan(0);
    expect(held.size).toBeLessThanOrEqual(HELD_FROM);
    expect(before).toMatchObject({ state: 'catching_up', size: 0, waiting: RECORDS + 1 - held.size });
    expect({ status: head.status, code: head.body.code, heads: held.heads }).toEqual({
      ...{ status: 503, code: 'log_catching_up', heads: 0 },
    });
    expect(done).toBeGreaterThan(0);
    expect(all).toBe(RECORDS);

    await operator.query(`select pg_advisory_unlock(${HOLD})`);
    service = await start();

    expect(await problemsOfLog(service, [])).toEqual([]);
    expect((await service.get('/v1/log')).body).toMatchObject({ state: 'ok', size: SIZE });
    const again = progressIn(service.output());
    expect(again.filter(([size]) => size! <= held.size)).toEqual([]);
    expect(messagesIn(service.output())).toContain(`signs its first tree head, of ${SIZE} entries`);
    // No head was signed for a part of what was there before the log.
    const { rows } = await operator.query<{ size: number }>('select min(size)::int as size from log_checkpoint');
    expect(rows[0]!.size).toBe(SIZE);
  });
});

describe('a log that is older than its map', () => {
  it('is signed without it until it was computed, says how far that is, and goes on where it was after kill -9', async () => {
    // As a version without the map has left it: the entries of the records, one tree head, and nothing else.
    await service!.kill9();
    for (const statement of [...withoutMap(SIZE - 1), ...HOLDING_MAP]) await operator.query(statement);
    // Another folder than before, which knows the newer tree head that the rows lack now.
    const DATA_DIR = await aFolder();
    expect(await runLogCommand(database.url, DATA_DIR, ['continue', 'the state of another version'])).toMatchObject({
      code: 0,
    });
    service = await launchService({ DATABASE_URL: database.url, DATA_DIR }).ready();
    await until(async () => (await mapped()).map_size > 0 && (await isHeld(operator)));

    const written = await linkWallet(service, anAvatar('alice'), aWallet('two'));
    const head = await headOfRecords(service, SIZE - 1);
    const answer = await service.get(`/v1/log/map?avatar=${anAvatar('alice').key.compressed}`);
    const ready = (await service.get('/readyz')).body.log;
    const held = await mapped();
    await service.kill9();

    expect(written.status).toBe(201);
    expect(head.size).toBe(SIZE - 1);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'map_catching_up' });
    expect(ready).toMatchObject({ state: 'ok', map_progress: expect.any(Number) });
    expect(ready.map_progress).toBeLessThan(1);
    expect(held.map_size).toBeLessThan(SIZE - 1);
    expect(held).toMatchObject({ map_index: null, entries: 0 });

    await operator.query(`select pg_advisory_unlock(${HOLD})`);
    service = await launchService({
      DATABASE_URL: database.url,
      DATA_DIR,
      LOG_LEVEL: 'warn',
    }).ready();
    await until(async () => (await mapped()).map_index !== null);

    expect(await problemsOfLog(service, [written.body.uuid].filter(Boolean))).toEqual([]);
    expect((await service.get('/readyz')).body.log).not.toHaveProperty('map_progress');
    expect(await mapped()).toMatchObject({ entries: 1 });
    const checked = await runLogCommand(database.url, await aFolder(), ['check']);
    expect(checked).toMatchObject({ code: 0 });
    // A tile that was changed is found: the highest one, another one, and one of which only proofs use the hash.
    const change = async (byte: string, where: string) => {
      await operator.query(
        `update map_tile set bytes = set_byte(bytes, ${byte}, 255 - get_byte(bytes, ${byte})) where number = (${where})`,
      );
      return runLogCommand(database.url, await aFolder(), ['check']);
    };
    const top = 'select map_top from log_state';
    const below = `select max(number) from map_tile
        where number < (${top}) and number not in (select unnest(tiles) from map_past)`;
    for (const [byte, tile, said] of [
      ['10', top, 'The stored map is not the one that the entries give'],
      ['10', below, 'The tile ".*" of the map is not the one'],
      ['length(bytes) - 1', top, 'The tile "" of the map has hashes that do not follow from its slots'],
    ]) {
      const checked = await change(byte!, tile!);
      expect(checked).toEqual({ code: 1, said: expect.stringMatching(`BAD\\. ${said}`) });
      await change(byte!, tile!);
    }
  });

  const askMap = () => service!.get(`/v1/log/map?avatar=${anAvatar('alice').key.compressed}`);
  const run = async (verb: string) => runLogCommand(database.url, await aFolder(), [verb]);

  it('stands still where a tile is missing, and computes the map anew when it is told to, before it signs again', async () => {
    const before = await mapped();
    const { size } = await headOfRecords(service!, SIZE - 1);
    // The last part waits, so that what is in between is seen.
    await operator.query(`select pg_advisory_lock(${HOLD})`);
    await operator.query('delete from map_tile where number = (select map_top from log_state)');
    expect(await linkWallet(service!, anAvatar('alice'), aWallet('three'))).toMatchObject({ status: 201 });
    await until(() => /tile \d+ of the map is missing/.test(messagesIn(service!.output())));
    expect(await askMap()).toMatchObject({ status: 503, body: { code: 'log_refused' } });
    expect(await run('check')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/BAD\. The tile "" of the map/),
    });

    expect(await run('rebuild-map')).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^A server computes the map of \d+ entries anew when it runs; the log is signed again/,
      ),
    });
    await until(async () => (await mapped()).map_size > 0 && (await isHeld(operator)));
    expect(await askMap()).toMatchObject({ status: 503, body: { code: 'map_catching_up' } });
    expect((await service!.get('/readyz')).body.log.map_progress).toBeLessThan(1);
    expect(await run('check')).toMatchObject({ code: 0 });
    expect(await readHead(service!)).toMatchObject({ size });

    await operator.query(`select pg_advisory_unlock(${HOLD})`);
    await until(async () => (await askMap()).status === 200);
    expect(await askMap()).toMatchObject({ body: { value: { links: 3 } } });
    expect(await problemsOfLog(service!, [])).toEqual([]);
    expect((await readHead(service!))!.size).toBe(size + 2);
    expect((await mapped()).entries).toBe(before.entries + 1);
    expect(await run('check')).toMatchObject({ code: 0 });
  });

  it('signs the map that was computed anew although nothing was written since', async () => {
    const { size } = (await readHead(service!))!;
    expect(await run('rebuild-map')).toMatchObject({ code: 0 });
    await until(async () => (await readHead(service!))!.size > size);

    expect((await readHead(service!))!.size).toBe(size + 1);
    expect(await askMap()).toMatchObject({ status: 200, body: { value: { links: 3 } } });
    expect(await problemsOfLog(service!, [])).toEqual([]);
    expect(await run('check')).toMatchObject({ code: 0 });
  });

  const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const mapped = async () => {
    const { rows } = await operator.query<{ map_size: number; map_index: number | null; entries: number }>(
      `select map_size::int, map_index::int, (select count(*)::int from log_leaf where kind = 'map') as entries from log_state`,
    );
    return rows[0]!;
  };
});

describe('a log that begins on an old embedded database', () => {
  it('takes in all that is there, and computes a map anew that was taken out', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    await copyMigratedCluster(dataDir);
    const start = async (env: Record<string, string> = {}) =>
      startApp({ database: await startEmbeddedTestDatabase(dataDir), env: { DATA_DIR: dataDir, ...env } });
    const ask = `/v1/log/map?avatar=${anAvatar('alice').key.compressed}`;
    let server = await start({ LOG: 'off' });
    const source = server.app.get(DataSource);
    for (const statement of [...oldLinks(EMBEDDED_LINKS), 'set session_replication_role = origin']) {
      await source.query(statement);
    }
    await linkWallet(server, anAvatar('alice'), aWallet('one'));
    await server.close();

    server = await start();
    expect(await problemsOfLog(server, [])).toEqual([]);
    const { size } = await headOfRecords(server, EMBEDDED_LINKS + 1);
    expect(size).toBe(EMBEDDED_LINKS + 2);
    expect(await server.get(ask)).toMatchObject({ status: 200, body: { value: { links: 1 } } });
    await server.close();
    for (const verb of ['check', 'rebuild-map']) {
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
      const { status, stdout } = spawnSync(process.execPath, [LOG_SCRIPT, verb], { env, encoding: 'utf8' });
      expect({ verb, status, stdout }).toMatchObject({ status: 0 });
    }

    server = await start();
    await until(async () => (await readHead(server))!.size === size + 1);
    expect(await server.get(ask)).toMatchObject({ status: 200, body: { value: { links: 1 } } });
    await server.close();
  });
});

/** Takes the map and its one entry, the last one, out of a log that had `size` entries before it. */
function withoutMap(size: number): string[] {
  return [
    // Old records were written without triggers, by which a row of the log looks like one that was copied.
    'set session_replication_role = origin',
    `delete from log_leaf where leaf_index >= ${size}`,
    'delete from log_checkpoint',
    `update log_tile set hashes = substr(hashes, 1, 32 * ${size % TILE_WIDTH})
     where level = 0 and number = ${Math.floor(size / TILE_WIDTH)}`,
    'truncate map_tile, map_past',
    `update log_state set size = ${size}, map_size = 0, map_index = null, map_top = 0`,
    COUNTED,
  ];
}

/** Whether the batch that reaches the held entry waits for its lock. */
async function isHeld(operator: pg.Client): Promise<boolean> {
  const { rowCount } = await operator.query(
    `select from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount! > 0;
}
