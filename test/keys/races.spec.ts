import pg from 'pg';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS, KV_CHAIN_LOCKS } from '../../src/database/advisory-locks.js';
import { KeysService } from '../../src/keys/keys.service.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { kvPayload, submitKv } from '../kv/kv-scenario.js';
import { waitersFor } from '../support/locks.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { until } from '../support/until.js';
import { commit, keyPayload, say, signedKeyEvent, stateOf } from './key-scenario.js';

const codeOf = ({ status, body }: Answer): unknown => (status === 400 || status === 503 ? body.code : status);

async function sessionOf({ url }: TestDatabase): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  return session;
}

/** Sessions of this database that wait for a lock of a table, or of the numbers of patches. */
async function sessionsThatWait(session: pg.Client): Promise<number> {
  const { rows } = await session.query<{ n: number }>(
    `select count(distinct pid)::int as n from pg_locks
     where not granted and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]!.n;
}

const paper = anAvatar('words on paper');

describe('key events on two servers of one database', () => {
  let database: TestDatabase;
  let servers: [RunningApp, RunningApp];
  let source: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    const start = () => startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    servers = [await start(), await start()];
    source = servers[0].app.get(DataSource);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await database?.drop();
  });

  it('have one order with links and patches that are sent in the same millisecond', async () => {
    for (let round = 0; round < 8; round += 1) {
      const alice = anAvatar(`alice ${round}`);
      const wallet = aWallet(`wallet ${round}`);
      const [one, other] = round % 2 === 0 ? servers : [servers[1], servers[0]];
      await commit(one, alice, [paper]);
      const [event, link, patch] = await Promise.all([
        keyPayload(one, alice, 'key.freeze'),
        walletPayload(other, alice, wallet),
        kvPayload(other, alice, { name: 'Alice' }),
      ]);
      const answers = await Promise.all([
        one.post('/v1/keys', signedKeyEvent(event.body, alice, 'key.freeze')),
        other.post('/v1/proof', signedSubmit(link.body, alice, wallet)),
        submitKv(other, alice, patch.body, { name: 'Alice' }),
      ]);
      const [frozen, linked, patched] = answers.map(codeOf);
      const { links, patches } = answers[0].body.key_event;

      expect(frozen).toBe(201);
      // What was recorded before the freeze is counted by it, and nothing is recorded behind it.
      expect([linked, patched]).toEqual([links === 1 ? 201 : 'avatar_frozen', patches === 1 ? 201 : 'avatar_frozen']);
    }
  });

  it('are one event and a stale payload, where two are sent on one head', async () => {
    const alice = anAvatar('alice of two servers');
    const payloads = await Promise.all(servers.map((server) => keyPayload(server, alice, 'key.freeze')));
    const answers = await Promise.all(
      servers.map((server, place) =>
        server.post('/v1/keys', signedKeyEvent(payloads[place]!.body, alice, 'key.freeze')),
      ),
    );

    expect(answers.map(codeOf).sort()).toEqual([201, 'stale_chain']);
    expect(await stateOf(servers[0], alice)).toMatchObject({ is_frozen: true });
  });

  it('wait for the one order of all records before they stop the patches of their Avatar', async () => {
    const alice = anAvatar('alice who waits');
    const payload = await keyPayload(servers[0], alice, 'key.freeze');
    const [recording, patching] = await Promise.all([sessionOf(database), sessionOf(database)]);
    let answer: Promise<Answer> | undefined;
    try {
      await recording.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.append]);
      answer = servers[0].post('/v1/keys', signedKeyEvent(payload.body, alice, 'key.freeze'));
      await until(async () => (await waitersFor(recording, ADVISORY_LOCKS.append)) === 1);
      // Two servers could wait for each other otherwise.
      const sql = 'select pg_try_advisory_lock($1, hashtext($2)) as "isFree"';
      expect((await patching.query(sql, [KV_CHAIN_LOCKS, alice.key.compressed])).rows).toEqual([{ isFree: true }]);
    } finally {
      await Promise.all([recording.end(), patching.end()]);
    }
    expect((await answer).status).toBe(201);
  });

  it('refuse in words what the database stops after it was judged', async () => {
    const [frozen, succeeded] = [anAvatar('alice frozen late'), anAvatar('alice succeeded late')];
    const wallet = aWallet('late');
    const link = await walletPayload(servers[0], frozen, wallet);
    const patches = [await kvPayload(servers[0], frozen, { n: 1 }), await kvPayload(servers[0], succeeded, { n: 1 })];
    const session = await sessionOf(database);
    let answers: Promise<Answer>[];
    try {
      await session.query('begin; lock table chain_link, kv_patch in share mode');
      answers = [
        servers[0].post('/v1/proof', signedSubmit(link.body, frozen, wallet)),
        submitKv(servers[0], frozen, patches[0]!.body, { n: 1 }),
        submitKv(servers[1], succeeded, patches[1]!.body, { n: 1 }),
      ];
      await until(async () => (await sessionsThatWait(session)) === 3);
      await session.query(
        `insert into avatar_hold (avatar, settled_until, frozen_until, succeeded_from, successor, succession, since_link, since_patch)
         values ($1, now(), now() + interval '1 day', null, null, null, null, null),
           ($2, now(), null, now(), $1, gen_random_uuid(), 0, 0)`,
        [frozen.key.compressed, succeeded.key.compressed],
      );
      await session.query('commit');
    } finally {
      await session.end();
    }

    expect((await Promise.all(answers)).map(codeOf)).toEqual(['avatar_frozen', 'avatar_frozen', 'avatar_succeeded']);
  });

  it('stop the links and patches of servers that know no key events, by the database itself', async () => {
    const alice = anAvatar('alice beside an old server');
    await linkWallet(servers[0], alice, aWallet('before'));
    await say(servers[0], alice, { action: 'key.freeze' });
    const avatar = alice.key.compressed;

    const link = source.query(
      `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
       select max(id) + 1, $1, 2, 'create', 'ethereum', 'x', now(), gen_random_uuid(), 'x', '{}', '{}' from chain_link`,
      [avatar],
    );
    await expect(link).rejects.toThrow(/writes of Avatar 0x\w+ are stopped by its keys/);
    const patch = source.query(
      `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
       values ($1, 1, 'self', 'x', '{}', now(), gen_random_uuid(), 'x', '{}')`,
      [avatar],
    );
    await expect(patch).rejects.toThrow(/writes of Avatar 0x\w+ are stopped by its keys/);
  });

  it('are refused while the clocks of server and database are more than four minutes apart', async () => {
    const alice = anAvatar('alice of a wrong clock');
    const payload = await keyPayload(servers[0], alice, 'key.freeze');
    const body = signedKeyEvent(payload.body, alice, 'key.freeze');
    const submitAt = (seconds: number) =>
      servers[0].app.get(KeysService).submit(body as never, new Date(Date.now() + 1000 * seconds));

    await expect(submitAt(250)).rejects.toMatchObject({ code: 'clock_untrue' });
    await expect(submitAt(-250)).rejects.toMatchObject({ code: 'clock_untrue' });
    await expect(submitAt(200)).resolves.toMatchObject({ action: 'key.freeze' });
  });
});

describe('key events on the embedded database', () => {
  it('are recorded, stop writes and end', async () => {
    const server = await startApp({ engine: 'embedded', env: { LOG: 'off' } });
    try {
      const alice = anAvatar('alice');
      const answers = [
        await commit(server, alice, [paper]),
        await say(server, alice, { action: 'key.freeze' }),
        await linkWallet(server, alice, aWallet('one')),
        await say(server, alice, { action: 'key.thaw' }, { by: paper }),
        await linkWallet(server, alice, aWallet('one')),
      ];

      expect(answers.map(codeOf)).toEqual([201, 201, 'avatar_frozen', 201, 201]);
    } finally {
      await server.close();
    }
  });
});
