import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { BUILT, type Child, runModuleIn } from '../support/child.js';
import { startEmbeddedTestDatabase } from '../support/database.js';

/**
 * Runs each line of its input as a statement. After the database has acknowledged it, answers with what was synced
 * since the line came, as JSON; a statement that fails is not answered.
 */
const SESSION = `
  import { readFileSync } from 'node:fs';
  import { createInterface } from 'node:readline';
  import pg from 'pg';
  import { loadEnvironment } from '${BUILT}config/environment.js';
  import { openDatabase } from '${BUILT}database/database.js';
  const database = await openDatabase(loadEnvironment({ DATA_DIR: process.argv[1] }));
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  const synced = () => readFileSync(process.env.SYNC_RECORD, { encoding: 'utf8', flag: 'a+' }).split('\\n').slice(0, -1);
  console.log('ready');
  for await (const sql of createInterface({ input: process.stdin })) {
    const before = synced().length;
    await client.query(sql).then(
      () => console.log(JSON.stringify(synced().slice(before))),
      () => {},
    );
  }
`;

describe('the embedded database and the disk', () => {
  let folder: string;
  let dataDir: string;
  let record: string;
  let session: Child;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    dataDir = path.join(folder, 'data');
    record = path.join(folder, 'synced');
    // Copies a cluster that is made, so that the session need not make one.
    await (await startEmbeddedTestDatabase(dataDir)).close();
    const preload = new URL('../support/sync-recorder.mjs', import.meta.url).href;
    session = runModuleIn({ NODE_OPTIONS: `--import=${preload}`, SYNC_RECORD: record }, SESSION, dataDir);
    await session.line();
  });
  afterEach(async () => {
    await session.kill9();
    await rm(folder, { recursive: true });
  });

  /** What was synced, as paths in the folder of the cluster, before the statement was acknowledged. */
  async function syncedBy(sql: string): Promise<string[]> {
    session.process.stdin!.write(`${sql}\n`);
    const paths = JSON.parse(await session.line()) as string[];
    return paths.map((synced) => path.relative(path.join(dataDir, 'pglite'), synced));
  }

  it('acknowledges no commit before the write-ahead log is synced', async () => {
    await syncedBy('create table note (number int)');

    for (let number = 1; number <= 20; number++) {
      expect(await syncedBy(`insert into note values (${number})`)).toEqual([
        expect.stringMatching(/^pg_wal\/[0-9A-F]{24}$/),
      ]);
    }
    expect(await syncedBy('select * from note')).toEqual([]);
  });

  it('syncs a new segment of the log and its name before it is used', async () => {
    await syncedBy('create table note (number int)');
    await syncedBy('select pg_switch_wal()');

    const synced = await syncedBy('insert into note values (1)');

    expect(synced).toEqual(
      expect.arrayContaining([expect.stringMatching(/^pg_wal\/xlogtemp/), 'pg_wal', expect.stringMatching(/2$/)]),
    );
    expect(synced.indexOf('pg_wal')).toBeLessThan(synced.length - 1);
  });

  it('syncs tables, transaction states, folders and the control file at a checkpoint', async () => {
    await syncedBy('create table note (number int)');
    await syncedBy('insert into note values (1)');

    const synced = await syncedBy('checkpoint');

    expect(synced).toEqual(
      expect.arrayContaining([expect.stringMatching(/^base\/\d+\/\d+$/), 'pg_xact/0000', 'pg_xact', 'pg_logical']),
    );
    expect(synced.at(-1)).toBe('global/pg_control');
  });

  it.each(['EIO', 'Unknown system error -117'])(
    'ends without acknowledging a commit whose sync fails: %s',
    async (code) => {
      await syncedBy('create table note (number int)');
      await syncedBy('insert into note values (1)');
      let complaint = '';
      session.process.stderr!.on('data', (text: Buffer) => (complaint += text.toString()));
      const exit = once(session.process, 'exit');

      await writeFile(`${record}.fail`, code);
      session.process.stdin!.write('insert into note values (2)\n');

      expect(await session.nextLine()).toBeNull();
      expect(await exit).toEqual([1, null]);
      expect(complaint).toContain('The embedded database has stopped working: it gave up');
      const database = await startEmbeddedTestDatabase(dataDir);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query('select number from note where number = 1');
      await client.end();
      await database.close();
      expect(rows).toEqual([{ number: 1 }]);
    },
  );
});
