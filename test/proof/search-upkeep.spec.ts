import pg from 'pg';
import { SEARCH_INDEX } from '../../src/database/schema/migrations/upgrade-steps.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

const found = aWallet('found');

let database: TestDatabase;
let client: pg.Client;
let running: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await client.query('create extension pgstattuple');
  running = await startApp({ databaseUrl: database.url, env: { REVALIDATION: 'off' } });
});
afterAll(async () => {
  await running?.close();
  await client?.end();
  await database?.drop();
});

/** Bindings whose entries wait to be merged into the index. */
async function waiting(): Promise<number> {
  const { rows } = await client.query<{ pending_tuples: string }>('select * from pgstatginindex($1)', [SEARCH_INDEX]);
  return Number(rows[0]!.pending_tuples);
}

const find = () => running.get(`/v1/proof?identity=${found.address.slice(5, 30)}`);

describe('the upkeep of the index of searches', () => {
  it('merges what waits when bindings have come, and no sooner', async () => {
    await linkWallet(running, anAvatar('first'), found);
    await until(async () => (await waiting()) === 0);

    // Past the service, which hears nothing of it, once it is done with the binding.
    await until(async () => {
      await client.query(`update proof set identity_folded = 'other ' || random()`);
      return (await waiting()) > 0;
    });
    expect((await find()).body.ids).toEqual([]);

    await client.query('update proof set identity_folded = identity');
    await linkWallet(running, anAvatar('second'), aWallet('another'));
    await until(async () => (await waiting()) === 0);
    expect((await find()).body.ids).toHaveLength(1);
  });
});
