import { kvPayload, writeKv } from '../kv/kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet, walletPayload } from '../support/scenario.js';
import { startTripCounter, type TripCounter } from '../support/trip-counter.js';

/** A request is made again until it makes one round trip, so many times at most. */
const TRIES = 30;

/*
 * A round trip to the database costs a request that comes alone more than all else in it. What the service does beside
 * requests makes trips of its own, so the fewest of several tries count. Those of a submit are two more, which
 * test/database/write-transactions.spec.ts counts.
 */
describe('a request that comes alone', () => {
  const alice = anAvatar('alice');
  const wallet = aWallet('alice');
  const key = alice.key.compressed;
  let database: TestDatabase;
  let counter: TripCounter;
  let server: RunningApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    counter = await startTripCounter(database.url);
    server = await startApp({ databaseUrl: counter.url });
    await linkWallet(server, alice, wallet);
    await writeKv(server, alice, { name: 'Alice' });
  });
  afterAll(async () => {
    await server.close();
    await counter.close();
    await database.drop();
  });

  /** The fewest round trips of several times that `ask` makes a request, until it is one. */
  async function fewest(ask: () => Promise<Answer>): Promise<number> {
    let least = Infinity;
    for (let turn = 0; turn < TRIES && least > 1; turn++) {
      const before = counter.trips();
      expect((await ask()).status).toBe(200);
      least = Math.min(least, counter.trips() - before);
    }
    return least;
  }

  it.each([
    ['the state of a binding', `/v1/proof/exists?platform=ethereum&identity=${wallet.address}&public_key=${key}`],
    ['an exact look-up', `/v1/proof?platform=ethereum&identity=${wallet.address}&exact=true`],
    ['a look-up by key', `/v1/proof?platform=self&identity=${key}`],
    ['a page of a chain', `/v1/proofchain?public_key=${key}`],
    ['a page of the feed of links', '/v1/proofchain/changes?last_id=0'],
    ['the content of an Avatar', `/v1/kv?avatar=${key}`],
    ['a page of a chain of patches', `/v1/kv/chain?avatar=${key}`],
    ['a page of the feed of patches', '/v1/kv/changes?last_id=0'],
    ['a page of a chain of key events', `/v1/keys/chain?avatar=${key}`],
    ['a page of the feed of key events', '/v1/keys/changes?last_id=0'],
  ])('makes one round trip to the database for %s', async (_name, path) => {
    expect(await fewest(() => server.get(path))).toBe(1);
  });

  it('makes one for the payload of a link, and one for that of a patch', async () => {
    expect(await fewest(() => walletPayload(server, alice, aWallet('another')))).toBe(1);
    expect(await fewest(() => kvPayload(server, alice, { name: 'A.' }))).toBe(1);
  });
});
