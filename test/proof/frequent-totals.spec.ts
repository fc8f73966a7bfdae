import pg from 'pg';
import { comparing } from '../../src/proof/ambiguous-terms.js';
import { MAX_AMBIGUOUS_TOTAL, newestTotalsSql } from '../../src/proof/proof-lists.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** One binding each; every 25th name holds the term, 800 of the newest 20,000. */
const FILL = `
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select '0x02' || lpad(to_hex(n), 64, '0'), 'github', name, name, n, now(), now(), true
  from generate_series(1, 30000) as n, lateral (select case when n % 25 = 0 then 'often' else 'other' end || n as name) as named`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(FILL);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const totals = async () => {
  const condition = comparing(undefined, ['often']);
  const found = [];
  for (const sql of newestTotalsSql(condition)) {
    found.push(Number((await client.query<{ total: string }>(sql, condition.parameters)).rows[0]!.total));
  }
  return found;
};

describe('the total of a frequent term', () => {
  it('is counted among the newest bindings, and in a small table no further', async () => {
    await client.query('analyze proof');

    expect(await totals()).toEqual([800, 0]);
  });

  it('is counted among many more of them where the table is said to be large, up to what is told at most', async () => {
    await client.query("update pg_class set reltuples = 1000000 where oid = 'proof'::regclass");

    expect(await totals()).toEqual([800, MAX_AMBIGUOUS_TOTAL]);
  });
});
