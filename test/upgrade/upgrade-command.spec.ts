import pg from 'pg';
import { LAST_MIGRATIONS, MIGRATIONS } from '../../src/database/schema/migrations/index.js';
import { migrate } from '../../src/database/schema/migrator.js';
import { upgradeCommand } from '../../src/upgrade/upgrade-command.js';
import { createEmptyDatabase, createTestDatabase, TEST_DATA_DIR, type TestDatabase } from '../support/database.js';

const RELEASED = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === LAST_MIGRATIONS['0.1.0']) + 1);

let database: TestDatabase;
afterEach(() => database.drop());

async function onDatabase(sql: string): Promise<void> {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function check(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const variables = { DATABASE_URL: database.url, DATA_DIR: TEST_DATA_DIR };
  const code = await upgradeCommand(variables, ['--check', ...words], (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

it('says of a database of 0.1.0 what is done at the start and afterwards, and that it has to have room for it', async () => {
  database = await createEmptyDatabase();
  await migrate(database.url, RELEASED);
  await onDatabase(`
    insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
    select '0x02' || lpad(to_hex(number), 64, '0'), 1, 'self', 'x', '{}', now(), gen_random_uuid(), '', ''
    from generate_series(1, 1000) as number; analyze kv_patch`);

  const { code, text } = await check('--free', '100');
  const cramped = await check('--free', '0.5');

  expect(code).toBe(0);
  expect(text).toMatch(/^Schema {5}of 0\.1\.0$/m);
  expect(text).toMatch(/^Servers {4}of 0\.1\.0 and newer may stay while this version is started/m);
  expect(text).toMatch(new RegExp(`: ${MIGRATIONS.length - RELEASED.length} migrations$`, 'm'));
  expect(text).toMatch(/^ {2}WalletChain1763700900000$/m);
  expect(text).toMatch(/^ {2}index of the feed of patches: 1,000 rows, a few seconds/m);
  expect(text).toMatch(/^ {2}transparency log: 1,000 rows/m);
  expect(text).toMatch(/^Free {7}100\.0 GiB, as given$/m);
  expect(cramped.code).toBe(1);
  expect(cramped.text).toMatch(/^Refused {4}About 1\.0 GiB have to be free .*, and 512 MiB are\.$/m);
});

it('finds nothing to do on a database that is up to date', async () => {
  database = await createTestDatabase();

  const { code, text } = await check();

  expect(code).toBe(0);
  expect(text).toContain('At the start: nothing; the schema is up to date.\nAfterwards: nothing.');
  // The test server runs on this machine.
  expect(text).toMatch(/^Free {7}[\d.]+ [GM]iB on the disk of \//m);
});

it.each([
  [
    'that is newer than the next version',
    `update deployment_setting set value = '99.0.0' where name = 'schema_version'`,
    /is of version 99\.0\.0/,
  ],
  [
    'of another deployment',
    `insert into deployment_setting (name, value) values ('service_name', 'other')`,
    /SERVICE_NAME is "other"/,
  ],
  [
    'that was moved',
    `insert into deployment_setting (name, value)
     values ('move', '{"role":"source","id":"m","other":"elsewhere","at":"2026-11-26","isOver":true,"refusal":""}')`,
    /was moved to elsewhere on 2026-11-26/,
  ],
  [
    'of another program',
    'drop table migrations; create table migrations (version integer)',
    /belongs to another program/,
  ],
])('refuses a database %s', async (_, change, sentence) => {
  database = await createTestDatabase();
  await onDatabase(change);

  const { code, text } = await check();

  expect(code).toBe(1);
  expect(text).toMatch(/^Refused {4}/m);
  expect(text).toMatch(sentence);
});

it('explains itself where it is used in another way', async () => {
  database = await createEmptyDatabase();

  for (const words of [['--free', 'much'], ['--free'], ['now']]) {
    expect(await check(...words)).toMatchObject({
      code: 2,
      text: expect.stringMatching(/^Usage: npm run upgrade -- --check/),
    });
  }
});
