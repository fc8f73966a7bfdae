import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from './log-client.js';
import { keepRecords, tamper } from './tampering.js';

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(anAvatar) as [Avatar, Avatar, Avatar];
type Avatar = ReturnType<typeof anAvatar>;
/** The first is held by Alice alone, who stands in the leaf of the identity; the second by two, who have a tile. */
const [lone, shared] = [aWallet('one'), aWallet('two')];
const holdersOf = ({ address }: { address: string }) => `platform=ethereum&identity=${address}`;
const ofAlice = `avatar=${alice.key.compressed}`;

/** The bytes of a key in a tile: its length, and the key. */
const storedKey = ({ key }: Avatar) => `21${key.compressed.slice(2)}`;
const replaceIn = (one: string, other: string) =>
  `update map_tile set bytes = decode(replace(encode(bytes, 'hex'), '${one}', '${other}'), 'hex')`;
const hexOf = (text: string) => Buffer.from(text).toString('hex');
/** Puts other text in the place of the number of the link of a holder, which has one digit. */
const replaceLink = (text: string) =>
  `update map_tile set bytes = decode(regexp_replace(encode(bytes, 'hex'), '${hexOf('{"link":')}3.7d', '${hexOf(`{"link":${text}}`)}'), 'hex') ${HOLDERS}`;
const TOP = 'where number = (select map_top from log_state)';
const HOLDERS = `where encode(bytes, 'hex') like '%${storedKey(carol)}%'`;

describe('a server whose database was changed', () => {
  let database: TestDatabase;
  let server: RunningApp;
  let restore: () => Promise<void>;
  /** Holds the lock of the log, so that nothing is signed. */
  let holder: pg.Client;

  const start = async () =>
    startApp({
      databaseUrl: database.url,
      env: { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')) },
    });
  const ask = async (query: string) => {
    const { status, body } = await server.get(`/v1/log/map?${query}`);
    return { status, code: body.code, holders: body.holders?.map(({ avatar }: { avatar: string }) => avatar) };
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    server = await start();
    await linkWallet(server, alice, lone);
    await linkWallet(server, alice, shared);
    await linkWallet(server, carol, shared);
    await headOfRecords(server, 3);
    await server.close();
    await holder.query(`select pg_advisory_lock(${ADVISORY_LOCKS.log})`);
    ({ restore } = await keepRecords(database.url));
  });
  // A server that was not asked yet keeps nothing of a tree head.
  beforeEach(async () => {
    server = await start();
  });
  afterEach(async () => {
    await server?.close();
    await restore();
  });
  afterAll(async () => {
    await holder?.end();
    await database?.drop();
  });

  it('answers where nothing is changed', async () => {
    expect(await ask(holdersOf(lone))).toEqual({ status: 200, holders: [alice.key.compressed] });
    const { status, holders } = await ask(holdersOf(shared));
    expect({ status, holders: new Set(holders) }).toEqual({
      status: 200,
      holders: new Set([alice.key.compressed, carol.key.compressed]),
    });
    expect(await ask(ofAlice)).toMatchObject({ status: 200 });
  });

  it.each<[string, string, string]>([
    ['the only holder is another Avatar', replaceIn(storedKey(alice), storedKey(bob)), holdersOf(lone)],
    ['one of two holders is another Avatar', replaceIn(storedKey(carol), storedKey(bob)), holdersOf(shared)],
    ['one of two holders is the other one', replaceIn(storedKey(carol), storedKey(alice)), holdersOf(shared)],
    ['a holder stands for another link', replaceLink('9'), holdersOf(shared)],
    ['the value of a holder is no JSON', replaceLink('x'), holdersOf(shared)],
    [
      'the tile of holders is cut short',
      `update map_tile set bytes = substr(bytes, 1, 50) ${HOLDERS}`,
      holdersOf(shared),
    ],
    ['the tile of holders is empty', `update map_tile set bytes = '' ${HOLDERS}`, holdersOf(shared)],
    ['the tile of holders is gone', `delete from map_tile ${HOLDERS}`, holdersOf(shared)],
    [
      'the tile of holders is empty, and one of them is asked for',
      `update map_tile set bytes = '' ${HOLDERS}`,
      `${holdersOf(shared)}&${ofAlice}`,
    ],
    ['the value of an Avatar is no JSON', replaceIn(hexOf('"links":2'), hexOf('"links":x')), ofAlice],
    ['the highest tile is empty', `update map_tile set bytes = '' ${TOP}`, ofAlice],
    ['the highest tile has three bytes', `update map_tile set bytes = substr(bytes, 1, 3) ${TOP}`, ofAlice],
    ['the highest tile is cut short', `update map_tile set bytes = substr(bytes, 1, 50) ${TOP}`, ofAlice],
    ['the highest tile is gone', `delete from map_tile ${TOP}`, ofAlice],
    ['the newest tree head names another tile', 'update log_checkpoint set map_top = 999', ofAlice],
    ['the tiles of the log are gone', 'delete from log_tile', ofAlice],
  ])('refuses to answer where %s', async (_what, damage, query) => {
    await tamper(database.url, damage);

    expect(await ask(query)).toEqual({ status: 503, code: 'log_refused' });
  });

  it('says that it has no map where the newest tree head names none', async () => {
    await tamper(database.url, 'update log_checkpoint set map_top = null');

    expect(await ask(ofAlice)).toEqual({ status: 503, code: 'map_catching_up' });
  });
});

describe('an identity in another spelling', () => {
  let server: RunningApp;
  /** One letter alone is a capital, so the checksum is wrong. */
  const misspelt = aWallet('three')
    .address.toLowerCase()
    .replace(/[a-f]/, (letter) => letter.toUpperCase());
  beforeAll(async () => {
    server = await startApp();
    await linkWallet(server, alice, aWallet('three'));
    await headOfRecords(server, 1);
  });
  afterAll(() => server?.close());

  it('is found by the map where the look-up finds it', async () => {
    const query = `platform=ethereum&identity=${misspelt}`;

    const found = await server.get(`/v1/proof?${query}&exact=true`);
    const { status, body } = await server.get(`/v1/log/map?${query}`);

    expect(found.body.ids).toHaveLength(1);
    expect({ status, holders: body.holders }).toEqual({
      status: 200,
      holders: [{ avatar: alice.key.compressed, link: expect.any(Number) }],
    });
  });

  it('that no account can have is refused', async () => {
    const { status, body } = await server.get('/v1/log/map?platform=ethereum&identity=0x12');

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_identity' });
  });
});
