import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from './log-client.js';
import { runLogCommand, tamper } from './tampering.js';

const alice = anAvatar('alice');

describe('a check of the map that is stored', () => {
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

  it('finds what is changed in the holder of an identity, which stands in its leaf', async () => {
    await linkWallet(server, alice, aWallet('one'));
    await headOfRecords(server, 1);
    expect(await check()).toMatchObject({ code: 0 });
    const replace = async (one: string, other: string) => {
      await tamper(
        database.url,
        `update map_tile set bytes = decode(replace(encode(bytes, 'hex'), '${one}', '${other}'), 'hex')`,
      );
      return check();
    };
    // The Avatar of a holder is in no hash; its key is. In the leaf its length stands before it.
    const [ofAlice, ofBob] = [alice, anAvatar('bob')].map(({ key }) => `21${key.compressed.slice(2)}`);
    const [link, other] = ['{"link":1}', '{"link":7}'].map((text) => Buffer.from(text).toString('hex'));

    expect(await replace(ofAlice!, ofBob!)).toEqual({
      code: 1,
      said: expect.stringMatching(/BAD\. The tile "" of the map names another Avatar than its key/),
    });
    expect(await replace(ofBob!, ofAlice!)).toMatchObject({ code: 0 });
    expect(await replace(link!, other!)).toEqual({
      code: 1,
      said: expect.stringMatching(
        /BAD\. The stored holders of identity [0-9a-f]{64} are not those that the entries give/,
      ),
    });
    expect(await replace(other!, link!)).toMatchObject({ code: 0 });
  });

  it('finds that the newest tree head names another map, or none', async () => {
    await linkWallet(server, alice, aWallet('two'));
    await headOfRecords(server, 2);
    const newest = 'where size = (select max(size) from log_checkpoint)';
    const wrong = { code: 1, said: expect.stringMatching(/BAD\. The stored map is not the one that the entries give/) };
    expect(await check()).toMatchObject({ code: 0 });

    for (const top of ['(select min(number) from map_tile)', 'null', '0']) {
      await tamper(database.url, `update log_checkpoint set map_top = ${top} ${newest}`);
      expect({ top, ...(await check()) }).toEqual({ top, ...wrong });
    }
    await tamper(
      database.url,
      `update log_checkpoint set map_top = (select map_top from log_state) ${newest}`,
      'update log_state set map_top = (select min(number) from map_tile)',
    );
    expect(await check()).toEqual(wrong);
    await tamper(database.url, `update log_state set map_top = (select map_top from log_checkpoint ${newest})`);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('finds what is changed in the map of an older tree head that is still kept', async () => {
    const flip = () =>
      tamper(
        database.url,
        `update map_tile set bytes = set_byte(bytes, 10, 255 - get_byte(bytes, 10))
         where number = (select max(past) from map_past, unnest(tiles) as past)`,
      );

    await flip();
    expect(await check()).toEqual({
      code: 1,
      said: expect.stringMatching(/BAD\. The stored map is not the one that the entries give/),
    });
    await flip();
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('finds that the tiles are gone', async () => {
    await tamper(database.url, 'truncate map_tile', 'update log_state set map_top = 0');

    expect(await check()).toEqual({
      code: 1,
      said: expect.stringMatching(/BAD\. The stored map is not the one that the entries give/),
    });
  });
});
