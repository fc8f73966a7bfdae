import pg from 'pg';
import { MIGRATIONS } from '../../src/database/schema/migrations/index.js';
import { migrate } from '../../src/database/schema/migrator.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** What version 0.1.0 had. */
const RELEASED = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name.startsWith('RateLimits')) + 1);
const LOCK_TIMEOUT_MS = 200;

let database: TestDatabase;
let reader: pg.Client;
let writer: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.url, RELEASED);
  [reader, writer] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([reader.connect(), writer.connect()]);
});
afterEach(async () => {
  await Promise.all([reader.end(), writer.end()]);
  await database.drop();
});

/** A patch as 0.1.0 wrote it. */
async function writePatch(number: number): Promise<void> {
  await writer.query(
    `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
     values ('0x02' || lpad(to_hex($1::int), 64, '0'), 1, 'self', 'x', '{}', now(), gen_random_uuid(), '', '')`,
    [number],
  );
}

it('a reader that never ends holds up the migration, and writers go on between its tries', async () => {
  await reader.query('begin; select count(*) from kv_patch');
  const said: string[] = [];

  const migrated = migrate(database.url, MIGRATIONS, {
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    firstPauseMs: 100,
    log: (message) => said.push(message),
  });
  // The migration has tried twice, and writers came in between.
  let number = 0;
  await until(async () => {
    await writePatch(number++);
    return said.length >= 2;
  });
  await reader.query('commit');

  expect((await migrated).some((name) => name.startsWith('Log'))).toBe(true);
  expect(said[0]).toMatch(
    /waits for a table that others use, and tries again in 0\.1 s\. .* open for longest: process \d+/,
  );
  const left = await writer.query('select count(*)::int as count from upgrade_step where due_at is not null');
  expect(left.rows).toEqual([{ count: 0 }]);
});

it('leaves the work on large tables to the servers, and does it at the start where they are small', async () => {
  for (let number = 0; number < 3; number++) await writePatch(number);

  await migrate(database.url, MIGRATIONS, { smallBytes: 0 });
  const open = await writer.query<{ id: string }>(
    'select id from upgrade_step where due_at is not null order by place',
  );
  await migrate(database.url);
  const later = await writer.query<{ id: string }>('select id from upgrade_step where due_at is not null');

  // An empty table has no bytes.
  expect(open.rows.map(({ id }) => id)).toEqual(['kv_patch_unnumbered', 'kv_patch_feed']);
  expect(later.rows).toEqual([]);
});

it('a binding of a contract wallet that a server of 0.1.0 makes, or makes again, gets its chain', async () => {
  await migrate(database.url);
  const avatar = `0x02${'0'.repeat(64)}`;
  const link = (id: number, extra: object) =>
    writer.query(
      `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
       values ($1::bigint, $2, $1::bigint, 'create', 'ethereum', '0xa', now(), gen_random_uuid(), '', '', $3)`,
      [id, avatar, extra],
    );
  const chainOf = async () => (await writer.query('select chain_id from proof')).rows;

  await link(1, { chain_id: 10 });
  await writer.query(
    `insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
     values ($1, 'ethereum', '0xa', '0xa', 1, now(), now(), true)`,
    [avatar],
  );
  expect(await chainOf()).toEqual([{ chain_id: '10' }]);

  await link(2, {});
  await writer.query('update proof set link_id = 2');
  expect(await chainOf()).toEqual([{ chain_id: null }]);
});
