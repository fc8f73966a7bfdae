import pg from 'pg';
import { migrate } from '../../src/database/schema/migrator.js';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { databaseSettings } from '../support/engines.js';
import { metricsWithGauges } from '../support/gauges.js';
import { startService } from '../support/service-process.js';
import { until } from '../support/until.js';

/** More than 4 MiB, so that no server does the work at its start. */
const PATCHES = 20_000;

let database: TestDatabase;
let client: pg.Client;
/** Holds a transaction open that has written: PostgreSQL waits for it before it reads the table for an index. */
let writer: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  [client, writer] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([client.connect(), writer.connect()]);
});
afterEach(async () => {
  await Promise.all([client.end(), writer.end()]);
  await database.drop();
});

/** The database as it is after the migrations of a large one: without the indexes of the feed. */
async function withoutFeedIndexes(): Promise<void> {
  await client.query('drop index kv_patch_unnumbered, kv_patch_feed');
  await client.query(`update upgrade_step set due_at = now(), finished_at = null where id like 'kv_patch_%'`);
}

function addPatches(by: pg.Client, from: number, count: number): Promise<unknown> {
  return by.query(
    `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
     select '0x02' || lpad(to_hex(number), 64, '0'), 1, 'self', 'x', '{}', now(), gen_random_uuid(), repeat('s', 88), repeat('t', 100)
     from generate_series($1::int, $1::int + $2::int - 1) as number`,
    [from, count],
  );
}

async function rows<Row>(sql: string): Promise<Row[]> {
  return (await client.query(sql)).rows as Row[];
}

async function builds(): Promise<number[]> {
  const sessions = await rows<{ pid: number }>(
    `select pid from pg_stat_progress_create_index where datname = current_database()`,
  );
  return sessions.map(({ pid }) => pid);
}

const indexState = () =>
  rows<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('kv_patch_unnumbered')`,
  );

it('one of two servers builds an index while both serve, and health checks and metrics tell how far it is', async () => {
  await withoutFeedIndexes();
  await writer.query('begin');
  await addPatches(writer, 1, 1);
  const servers = await Promise.all([1, 2].map(() => startApp({ databaseUrl: database.url })));
  try {
    await until(async () => (await builds()).length > 0);

    for (const server of servers) {
      await until(async () => (await server.get('/readyz')).body.upgrade.steps[0].state === 'running');
      const ready = await server.get('/readyz');
      expect(ready.status).toBe(200);
      expect(ready.body.upgrade).toMatchObject({
        steps: [
          { id: 'kv_patch_unnumbered', state: 'running', progress: 0 },
          { id: 'kv_patch_feed', state: 'waiting', progress: 0 },
        ],
      });
      const feed = await server.get('/v1/kv/changes?last_id=0');
      expect({ status: feed.status, code: feed.body.code }).toEqual({ status: 503, code: 'upgrade_under_way' });
      expect(feed.headers.get('retry-after')).toBe('30');
      const log = await server.get('/log/checkpoint');
      expect({ status: log.status, code: log.body.code }).toEqual({ status: 503, code: 'log_catching_up' });
      expect((await server.get('/v1/kv?avatar=0x02' + '0'.repeat(63) + '1')).status).not.toBe(503);
      expect((await server.get('/v1/log')).body).toMatchObject({ state: 'catching_up', size: 0 });
    }
    const metrics = await metricsWithGauges(servers[0]!);
    expect(metrics).toMatch(/^signet_upgrade_steps_pending 2$/m);
    expect(metrics).toMatch(/^signet_upgrade_step_progress\{step="kv_patch_unnumbered"\} 0$/m);
    expect(await builds()).toHaveLength(1);
    // Writers of others go on.
    await addPatches(client, 2, 1);

    await writer.query('commit');
    await until(async () => !(await servers[1]!.get('/readyz')).body.upgrade);
    await until(async () => (await servers[0]!.get('/v1/kv/changes?last_id=0')).body.patches?.length === 2);
    await until(async () => (await servers[1]!.get('/log/checkpoint').catch(() => ({ status: 200 }))).status === 200);
    expect(await rows(`select id from upgrade_step where due_at is not null or leased_until is not null`)).toEqual([]);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});

it('half an index that a crash left is removed and built again by another server', async () => {
  await withoutFeedIndexes();
  await addPatches(client, 1, PATCHES);
  await writer.query('begin');
  await addPatches(writer, PATCHES + 1, 1);
  const first = await startService(databaseSettings(database.url));
  await until(async () => (await builds()).length === 1);

  await first.kill9();
  const [build] = await builds();
  await client.query('select pg_terminate_backend($1)', [build]);
  await until(async () => (await builds()).length === 0);
  expect(await indexState()).toEqual([{ valid: false }]);
  // As if the lease of the server that was killed had ended.
  await client.query('update upgrade_step set leased_until = now()');
  const second = await startApp({ databaseUrl: database.url });
  try {
    await until(async () => (await rows('select from upgrade_step where leased_until > now()')).length === 1);
    await writer.query('commit');
    await until(async () => !(await second.get('/readyz')).body.upgrade);

    expect(await indexState()).toEqual([{ valid: true }]);
    const [step] = await rows<{ problem: string }>(`select problem from upgrade_step where id = 'kv_patch_unnumbered'`);
    expect(step).toEqual({ problem: '' });
  } finally {
    await second.close();
  }
});

it('a build whose server was killed is waited for, and not begun again', async () => {
  await withoutFeedIndexes();
  await writer.query('begin');
  await addPatches(writer, 1, 1);
  const first = await startApp({ databaseUrl: database.url });
  await until(async () => (await builds()).length === 1);
  const [build] = await builds();

  // A server that stops leaves the build to PostgreSQL.
  await first.close();
  const second = await startApp({ databaseUrl: database.url });
  try {
    await until(async () => (await rows('select from upgrade_step where leased_until > now()')).length === 1);
    expect(await builds()).toEqual([build]);
    await writer.query('commit');
    await until(async () => !(await second.get('/readyz')).body.upgrade);

    expect(await indexState()).toEqual([{ valid: true }]);
  } finally {
    await second.close();
  }
});

it('an index that is gone is built again at the next start', async () => {
  await client.query('drop index kv_patch_feed');

  await migrate(database.url);

  expect(await rows(`select indisvalid from pg_index where indexrelid = to_regclass('kv_patch_feed')`)).toHaveLength(1);
});
