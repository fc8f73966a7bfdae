import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from './log-client.js';
import { runLogCommand, tamper } from './tampering.js';

describe('a check of a log whose map has no tile', () => {
  let database: TestDatabase;
  let server: RunningApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });
  const check = async () => runLogCommand(database.url, await mkdtemp(path.join(tmpdir(), 'signet-test-')), ['check']);

  it('finds nothing wrong where there is nothing', async () => {
    await headOfRecords(server, 0);

    expect(await check()).toEqual({
      code: 0,
      said: expect.stringMatching(/: 1 entries and 1 stored tree heads\. All is/),
    });
  });

  it('finds that the tiles are gone where there is a link', async () => {
    await linkWallet(server, anAvatar('alice'), aWallet('one'));
    await headOfRecords(server, 1);
    expect(await check()).toMatchObject({ code: 0 });
    await tamper(database.url, 'truncate map_tile', 'update log_state set map_top = 0');

    expect(await check()).toEqual({
      code: 1,
      said: expect.stringMatching(/BAD\. The stored map is not the one that the entries give/),
    });
  });
});
