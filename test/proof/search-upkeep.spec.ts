import { DataSource } from 'typeorm';
import { SEARCH_INDEX } from '../../src/database/schema/migrations/upgrade-steps.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

const found = aWallet('found');

let running: RunningApp;

beforeAll(async () => {
  running = await startApp({ engine: 'postgres' });
  await query('create extension pgstattuple');
});
afterAll(() => running?.close());

const query = <Row>(sql: string): Promise<Row[]> => running.app.get(DataSource).query(sql);

/** Bindings whose entries wait to be merged into the index. */
async function waiting(): Promise<number> {
  const [row] = await query<{ pending_tuples: number }>(`select * from pgstatginindex('${SEARCH_INDEX}')`);
  return row!.pending_tuples;
}

const find = () => running.get(`/v1/proof?identity=${found.address.slice(5, 30)}`);

describe('the upkeep of the index of searches', () => {
  it('merges what waits when bindings have come', async () => {
    await linkWallet(running, anAvatar('first'), found);
    await until(async () => (await waiting()) === 0);

    // Past the service, which hears nothing of it, once it is done with the binding.
    await until(async () => {
      await query(`update proof set identity_folded = 'other ' || random()`);
      return (await waiting()) > 0;
    });
    expect((await find()).body.ids).toEqual([]);

    await query('update proof set identity_folded = identity');
    await linkWallet(running, anAvatar('second'), aWallet('another'));
    await until(async () => (await waiting()) === 0);
    expect((await find()).body.ids).toHaveLength(1);
  });
});
