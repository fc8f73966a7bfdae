import pg from 'pg';
import { MIGRATIONS } from '../../src/database/schema/migrations/index.js';
import { migrate } from '../../src/database/schema/migrator.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

const BEFORE = MIGRATIONS.findIndex(({ name }) => name.startsWith('LeasedWork'));

/** The part of the tables of pg-boss 12 that version 0.1.0 left behind. */
const PGBOSS = `
  create schema pgboss;
  create table pgboss.job (id uuid not null default gen_random_uuid(), name text not null, data jsonb, state text not null,
    created_on timestamptz not null default now(), primary key (name, id))`;

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.url, MIGRATIONS.slice(0, BEFORE));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into webhook_subscription (url, secret) values ('https://hooks.alice.dev/', 'whsec_')`);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** A delivery as 0.1.0 stored it. */
async function deliver(type: string, status: string, columns: Record<string, unknown> = {}): Promise<string> {
  const all = {
    ...(status === 'pending' && { next_attempt_at: '2026-01-02' }),
    turn: 3,
    attempts: 2,
    ...columns,
  };
  const names = Object.keys(all);
  const { rows } = await client.query<{ id: string }>(
    `insert into webhook_delivery (subscription_id, message_id, type, body, round_started_at, status, ${names.join(', ')})
     select id, gen_random_uuid(), $1, '{}', '2026-01-01', $2, ${names.map((_, index) => `$${index + 3}`).join(', ')}
     from webhook_subscription returning id`,
    [type, status, ...Object.values(all)],
  );
  return rows[0]!.id;
}

async function job(name: string, state: string, data: object, id?: string): Promise<void> {
  await client.query(
    `insert into pgboss.job (id, name, state, data, created_on) values (coalesce($1, gen_random_uuid()), $2, $3, $4, '2026-01-03')`,
    [id ?? null, name, state, data],
  );
}

it('takes over what waits in the job queue of version 0.1.0, and forgets dead letters that an operator dropped', async () => {
  await client.query(PGBOSS);
  const waiting = await deliver('waiting', 'pending');
  await job('webhook', 'created', { delivery: waiting, turn: 3 });
  const exhausted = await deliver('exhausted', 'pending');
  await job('webhook.dead', 'created', { delivery: exhausted, turn: 3 });
  await deliver('delivered', 'delivered');
  const letters = ['7f7f9d5e-3f0a-4f0e-9d7d-3a0f6c1d2e41', '7f7f9d5e-3f0a-4f0e-9d7d-3a0f6c1d2e42'];
  const dead = await deliver('dead', 'dead', { dead_letter_id: letters[0] });
  await job('webhook.dead', 'created', { delivery: dead, turn: 3 }, letters[0]);
  await deliver('dropped', 'dead', { dead_letter_id: letters[1] });
  const replayed = await deliver('replayed', 'dead', { dead_letter_id: '7f7f9d5e-3f0a-4f0e-9d7d-3a0f6c1d2e43' });
  await job('webhook', 'retry', { delivery: replayed, turn: 3 });
  await client.query(`insert into archive_batch (created_at, next_at, leased_until, reminded_at)
    values ('2026-01-01', '2026-01-02', '2026-01-02', '2026-01-02')`);

  await migrate(database.url);

  const { rows } = await client.query(
    `select type, status, turn, attempts, next_attempt_at <= now() as is_due, dead_letter_id, dead_at::date::text
     from webhook_delivery order by type`,
  );
  const pending = { status: 'pending', turn: 3, attempts: 2, is_due: true, dead_letter_id: null, dead_at: null };
  const done = { turn: 3, attempts: 2, is_due: null, dead_letter_id: null, dead_at: null };
  expect(rows).toEqual([
    { type: 'dead', ...done, status: 'dead', dead_letter_id: letters[0], dead_at: '2026-01-03' },
    { type: 'delivered', ...done, status: 'delivered' },
    { type: 'dropped', ...done, status: 'dead' },
    { type: 'exhausted', ...pending },
    { type: 'replayed', ...pending, turn: 4, attempts: 0 },
    { type: 'waiting', ...pending },
  ]);
  const due = `select 1 from archive_batch where next_at <= now() and leased_until <= now() and unfinished_runs = 0`;
  expect((await client.query(due)).rowCount).toBe(1);
});

it('needs no job queue of an earlier version', async () => {
  await deliver('waiting', 'pending');

  await migrate(database.url);

  expect((await client.query('select leased_until from webhook_delivery')).rows).toEqual([{ leased_until: null }]);
});
