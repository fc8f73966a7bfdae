import { createClient } from '@signet/sdk';
import { MAX_HOLDERS } from '../../src/transparency-log/map/log-map.dto.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { headOfRecords, readHead } from '../transparency-log/log-client.js';
import { avatarsNamed, seedHolders } from './seed-holders.js';

const TIMEOUT_MS = 300_000;
const wallet = aWallet('crowded');

describe('a look-up of all who hold an identity, of whom an answer of the map names none', () => {
  const crowd = avatarsNamed('crowd', MAX_HOLDERS + 1);
  let database: TestDatabase;
  let running: RunningApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    await seedHolders(database.url, crowd, wallet);
    running = await startApp({ databaseUrl: database.url });
    await headOfRecords(running, crowd.length);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await running?.close();
    await database?.drop();
  });

  it(
    'is complete: each of them is asked for',
    async () => {
      const client = createClient({ baseUrl: running.baseUrl, verify: 'complete', retries: 0 });
      const found = client.proofs.find({ platform: 'ethereum', identity: wallet.address });
      const avatars = (await found.toArray()).map(({ avatar }) => avatar);

      expect(avatars.sort()).toEqual(crowd.map(({ key }) => key.compressed).sort());
      expect(found.complete).toMatchObject({ newer: 0, size: (await readHead(running))!.size - 1 });
    },
    TIMEOUT_MS,
  );
});
