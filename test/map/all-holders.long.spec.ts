import { createClient } from '@signet/sdk';
import { MAX_HOLDERS } from '../../src/transparency-log/published/log-map.dto.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { avatarsNamed, seedHolders } from './seed-holders.js';

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
  });
  afterAll(async () => {
    await running?.close();
    await database?.drop();
  });

  it('is refused at once, because a look-up answers a thousand, and says what to ask', async () => {
    const client = createClient({ baseUrl: running.baseUrl, demand: { complete: true }, retries: 0 });
    const question = { platform: 'ethereum', identity: wallet.address };

    await expect(client.proofs.find(question).toArray()).rejects.toMatchObject({
      code: 'incomplete',
      message: expect.stringContaining(`${MAX_HOLDERS + 1} Avatars hold ethereum`),
    });
    expect(await client.proofs.exists({ ...question, avatar: crowd[0]!.key.compressed })).not.toBeNull();
  });
});
