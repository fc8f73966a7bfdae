import { mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { EMBEDDED_MAJOR } from '../../src/database/embedded/embedded-folder.js';
import { copyTables } from '../../src/upgrade/copy-tables.js';
import { upgradeCommand } from '../../src/upgrade/upgrade-command.js';
import { createTestDatabase } from '../support/database.js';
import { runService } from '../support/service-process.js';

/** A data folder whose cluster an engine of this major version made, as far as anybody can tell without opening it. */
async function folderOf(major: number): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  await mkdir(path.join(dataDir, 'pglite'));
  await writeFile(path.join(dataDir, 'pglite', 'PG_VERSION'), `${major}\n`);
  return dataDir;
}

async function upgrade(DATA_DIR: string, ...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await upgradeCommand({ DATA_DIR }, ['--embedded', ...words], (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

it('knows the major version of its own engine', async () => {
  const made = path.join(process.env.TEST_EMBEDDED_TEMPLATE!, 'PG_VERSION');

  expect(Number(await readFile(made, 'utf8'))).toBe(EMBEDDED_MAJOR);
});

it('a folder of an older engine is recognised, left as it is, and the service says what to run', async () => {
  const dataDir = await folderOf(17);

  const { code, output } = await runService({ DATA_DIR: dataDir });

  expect(code).toBe(1);
  expect(output).toContain('made by the embedded engine of PostgreSQL 17, and this version has that of 18.');
  expect(output).toContain('npm run upgrade -- --embedded');
  expect(await readdir(path.join(dataDir, 'pglite'))).toEqual(['PG_VERSION']);
});

it('says where the database is when a move died between setting it aside and putting the new one in its place', async () => {
  const dataDir = await folderOf(17);
  await rename(path.join(dataDir, 'pglite'), path.join(dataDir, 'pglite-postgresql-17'));

  const { code, output } = await runService({ DATA_DIR: dataDir });

  expect(code).toBe(1);
  expect(output).toContain('is set aside as pglite-postgresql-17, because moving it to a newer engine was cut short.');
  expect(await readdir(dataDir)).toEqual(['pglite-postgresql-17']);
});

it('does not begin while the folder of an earlier move is in its way', async () => {
  const dataDir = await folderOf(17);
  await mkdir(path.join(dataDir, 'pglite-postgresql-17'));
  await writeFile(path.join(dataDir, 'pglite-postgresql-17', 'PG_VERSION'), '17');

  const { code, text } = await upgrade(dataDir, '--engine', dataDir);

  expect({ code, text }).toEqual({ code: 2, text: expect.stringMatching(/is there already, from an earlier move/) });
});

it('says what is missing where the old engine cannot be used, and leaves the folder in its place', async () => {
  const dataDir = await folderOf(17);

  const { code, text } = await upgrade(dataDir, '--engine', dataDir);

  expect({ code, text }).toEqual({ code: 2, text: expect.stringMatching(/^The old engine in .* does not start: /) });
  expect((await readdir(dataDir)).sort()).toEqual(['lock', 'pglite']);
});

it.each([
  ['is empty', null, /^There is no database in /],
  ['is of this engine', EMBEDDED_MAJOR, /there is nothing to move/],
  ['is of an engine that nobody has', 9, /^There is no embedded engine of PostgreSQL 9 /],
  ['is of a newer engine', EMBEDDED_MAJOR + 1, /^There is no embedded engine of PostgreSQL/],
])('moves nothing where the folder %s', async (_, major, sentence) => {
  const dataDir = major === null ? await mkdtemp(path.join(tmpdir(), 'signet-test-')) : await folderOf(major);

  expect((await upgrade(dataDir)).text).toMatch(sentence);
});

it('copies every row of every type to a database with the same schema, with the next numbers of columns', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [from, to] = databases.map(({ url }) => new pg.Client(url)) as [pg.Client, pg.Client];
  await Promise.all([from.connect(), to.connect()]);
  await from.query(`
    insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
    select '0x02' || repeat('0', 64), number, 'self', E'a"\\\\\\'\\t é 😀', '{"a":[1e2,null]}', '2026-01-02 03:04:05.678901+00', gen_random_uuid(), '', E'\\n'
    from generate_series(1, 120) as number`);
  await from.query(`insert into log_tile values (0, 0, decode(repeat('00ff', 32), 'hex'))`);
  await from.query(`insert into webhook_subscription (url, secret, types) values ('https://a.dev', 's', '{a,"b,c"}')`);

  const rows = await copyTables(from, to, () => {});

  const ofAll = (client: pg.Client) => client.query('select * from kv_patch order by position_in_chain');
  expect((await ofAll(to)).rows).toEqual((await ofAll(from)).rows);
  expect((await to.query('select types from webhook_subscription')).rows).toEqual([{ types: ['a', 'b,c'] }]);
  expect(rows).toBeGreaterThan(122);
  const next = await to.query(`select nextval(pg_get_serial_sequence('kv_patch', 'id'))::int as id`);
  expect(next.rows).toEqual([{ id: 121 }]);
  await Promise.all([from.end(), to.end()]);
  await Promise.all(databases.map(({ drop }) => drop()));
});

it('tells a copy that is not the same', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [from, to] = databases.map(({ url }) => new pg.Client(url)) as [pg.Client, pg.Client];
  await Promise.all([from.connect(), to.connect()]);
  await from.query(`insert into rate_limit values ('a', 1, '2026-01-01')`);
  await to.query(`create function more() returns trigger language plpgsql as 'begin new.requests = 2; return new; end';
    create trigger more before insert on rate_limit for each row execute function more();
    alter table rate_limit enable always trigger more`);

  await expect(copyTables(from, to, () => {})).rejects.toThrow(
    'rate_limit has 1 rows, and its copy does not hold the same',
  );
  await Promise.all([from.end(), to.end()]);
  await Promise.all(databases.map(({ drop }) => drop()));
});
