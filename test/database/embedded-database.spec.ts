import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from '../../src/database/connections/pool-of.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import type { OpenDatabase } from '../../src/database/database.js';
import { EmbeddedUpkeep } from '../../src/database/embedded/embedded-upkeep.js';
import { BUILT, type Child, runModule } from '../support/child.js';
import { copyMigratedCluster, startEmbeddedTestDatabase } from '../support/database.js';

/** Writes rows until something fails, and says each number after its commit was acknowledged. */
const WRITER = `
  import pg from 'pg';
  import { loadEnvironment } from '${BUILT}config/environment.js';
  import { openDatabase } from '${BUILT}database/database.js';
  const database = await openDatabase(loadEnvironment({ DATA_DIR: process.argv[1] }));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table if not exists row (number int primary key, filler text)');
  await client.query('alter table row alter filler set storage external'); // not compressed, so that the log fills
  client.on('error', () => {});
  const { rows } = await client.query('select coalesce(max(number), 0) as last from row');
  console.log('start ' + rows[0].last);
  for (let number = rows[0].last + 1; ; number++) {
    try {
      await client.query('begin');
      await client.query("insert into row values ($1::int, repeat(md5($1::int::text), 1000))", [number]);
      await client.query('commit');
    } catch (error) {
      console.error(error.message);
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
    console.log(number);
  }
`;

const socketFolder = (database: OpenDatabase) => new URL(database.url).searchParams.get('host')!;

describe('an open embedded database', () => {
  let folder: string;
  let database: OpenDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    database = await startEmbeddedTestDatabase(path.join(folder, 'data'));
    dataSource = await new DataSource(dataSourceOptions(database)).initialize();
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.close();
    await rm(folder, { recursive: true });
  });

  it('is PostgreSQL 15 or newer, with fsync, UTF-8 and trigrams', async () => {
    await dataSource.query('create extension pg_trgm');

    const [row] = await dataSource.query(
      `select current_setting('server_version_num')::int >= 150000 as new_enough, current_setting('fsync') as fsync,
              lower('ÄÖ🔑') as lowered, similarity('signet', 'signed') > 0.5 as similar`,
    );
    expect(row).toEqual({ new_enough: true, fsync: 'on', lowered: 'äö🔑', similar: true });
  });

  it('serves the next connection, whatever the one before has left: statements, or half a transaction', async () => {
    const pool = poolOf(dataSource);
    for (const left of ['select 1', 'begin', 'begin; select 1 / 0']) {
      const client = await pool.connect();
      await client.query('select $1::int as value', [7]);
      await client.query(left).catch(() => {});
      client.release(new Error('This connection is done for.'));

      expect(await dataSource.query('select $1::int as value', [8])).toEqual([{ value: 8 }]);
    }
  });

  it('serves many transactions at once over its one connection', async () => {
    await dataSource.query('create table counter (value int)');
    await dataSource.query('insert into counter values (0)');

    await Promise.all(
      Array.from({ length: 50 }, () =>
        dataSource.transaction(async (manager) => {
          const [{ value }] = await manager.query('select value from counter');
          await manager.query('update counter set value = $1', [value + 1]);
        }),
      ),
    );

    expect(await dataSource.query('select value from counter')).toEqual([{ value: 50 }]);
  });

  it('rolls back what a client left unfinished when it went away', async () => {
    const rude = new pg.Client({ connectionString: database.url });
    await rude.connect();
    await rude.query('create table note (text text)');
    await rude.query('begin');
    await rude.query(`insert into note values ('unfinished')`);
    await rude.end();

    expect(await dataSource.query('select * from note')).toEqual([]);
  });

  it('keeps its log short and its statistics fresh once enough was written', async () => {
    const upkeep = new EmbeddedUpkeep(dataSource);
    const state = async () => {
      const [row] = await dataSource.query(
        `select (select redo_lsn from pg_control_checkpoint()) as checkpoint,
                (select reltuples from pg_class where relname = 'bulk') as estimated_rows`,
      );
      return row;
    };
    await dataSource.query('create table bulk (text text)');
    await upkeep.run();
    const before = await state();

    await dataSource.query(`insert into bulk select 'a little' from generate_series(1, 10)`);
    await upkeep.run();
    const afterLittle = await state();
    await dataSource.query(`insert into bulk select repeat('much ', 200) from generate_series(1, 40000)`);
    await upkeep.run();
    const afterMuch = await state();

    expect(afterLittle).toEqual(before);
    expect(afterMuch.checkpoint).not.toBe(before.checkpoint);
    expect(afterMuch.estimated_rows).toBe(40_010);
  });

  it('listens in a folder that only its owner can enter', async () => {
    expect((await stat(socketFolder(database))).mode & 0o777).toBe(0o700);
  });

  it('refuses to be opened again', async () => {
    await expect(startEmbeddedTestDatabase(path.join(folder, 'data'))).rejects.toThrow('is in use by another process');
  });
});

describe('the embedded database from start to start', () => {
  let folder: string;
  let dataDir: string;
  const cleanUps: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    dataDir = path.join(folder, 'data');
  });

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    await rm(folder, { recursive: true });
  });

  async function open(): Promise<OpenDatabase> {
    const database = await startEmbeddedTestDatabase(dataDir);
    cleanUps.push(() => database.close());
    return database;
  }

  async function connect(database: OpenDatabase): Promise<DataSource> {
    const dataSource = await new DataSource(dataSourceOptions(database)).initialize();
    cleanUps.push(() => dataSource.destroy());
    return dataSource;
  }

  async function startWriter(): Promise<Child> {
    // So that the writer need not wait for a first start.
    if (!existsSync(dataDir)) await copyMigratedCluster(dataDir);
    const writer = runModule(WRITER, dataDir);
    cleanUps.push(() => writer.kill9());
    return writer;
  }

  it('keeps what was written from one start to the next, and nothing in the folder for temporary files', async () => {
    const first = await startEmbeddedTestDatabase(dataDir);
    const writer = await new DataSource(dataSourceOptions(first)).initialize();
    await writer.query(`create table note (text text)`);
    await writer.query(`insert into note values ('still here')`);
    await writer.destroy();
    await Promise.all([first.close(), first.close()]);
    expect(existsSync(socketFolder(first))).toBe(false);

    const reader = await connect(await open());

    expect(await reader.query('select text from note')).toEqual([{ text: 'still here' }]);
  });

  it('has every acknowledged commit after kill -9 in the middle of writes, and removes the socket folder that is left', async () => {
    let acknowledged = 0;
    let left = '';
    for (const round of [1, 2]) {
      const writer = await startWriter();
      const found = Number((await writer.line()).replace('start ', ''));
      expect(found).toBeGreaterThanOrEqual(acknowledged);
      while (acknowledged < found + 40 * round) acknowledged = Number(await writer.line());
      left = path.join(tmpdir(), await readFile(path.join(dataDir, 'socket-folder'), 'utf8'));
      await writer.kill9();
      expect(existsSync(left)).toBe(true);
    }

    const dataSource = await connect(await open());

    expect(existsSync(left)).toBe(false);
    const [row] = await dataSource.query('select count(*)::int as count, max(number) as last from row');
    expect(row.last).toBeGreaterThanOrEqual(acknowledged);
    expect(row.count).toBe(row.last);
  });

  it('removes nothing else, whatever the note of the socket folder says', async () => {
    const precious = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    cleanUps.push(() => rm(precious, { recursive: true }));
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'socket-folder'), path.basename(precious));

    await open();

    expect(existsSync(precious)).toBe(true);
  });

  it('says why when the folder holds no database that it can open, and leaves it unlocked', async () => {
    await mkdir(path.join(dataDir, 'pglite'), { recursive: true });
    await writeFile(path.join(dataDir, 'pglite', 'PG_VERSION'), '18\n');

    await mkdir(path.join(dataDir, 'pglite', 'global'));
    await writeFile(path.join(dataDir, 'pglite', 'global', 'pg_control'), 'no control file');

    await expect(startEmbeddedTestDatabase(dataDir)).rejects.toThrow(
      `The embedded database in ${dataDir} does not start`,
    );
    await expect(startEmbeddedTestDatabase(dataDir)).rejects.toThrow('does not start');
  });

  it('ends the process loudly when the engine fails, and has every acknowledged commit afterwards', async () => {
    const writer = await startWriter();
    let complaint = '';
    writer.process.stderr!.on('data', (text: Buffer) => (complaint += text.toString()));
    const exit = once(writer.process, 'exit');
    let acknowledged = Number((await writer.line()).replace('start ', ''));
    const log = path.join(dataDir, 'pglite', 'pg_wal');

    // Without its folder the engine cannot begin the next segment of its log and panics, as it does on a full disk.
    await rename(log, `${log}-away`);
    for (let line = await writer.nextLine(); line !== null; line = await writer.nextLine()) acknowledged = Number(line);

    expect(await exit).toEqual([1, null]);
    expect(complaint).toContain('The embedded database has stopped working: it gave up');
    await rename(`${log}-away`, log);
    const dataSource = await connect(await open());
    const [row] = await dataSource.query('select count(*)::int as count, max(number) as last from row');
    expect(row.last).toBeGreaterThanOrEqual(acknowledged);
    expect(row.count).toBe(row.last);
  });
});
