import { DataSource } from 'typeorm';
import { KeysService } from '../../src/keys/keys.service.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { kvPayload, submitKv } from '../kv/kv-scenario.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { commit, keyPayload, say, signedKeyEvent, stateOf } from './key-scenario.js';

const codeOf = ({ status, body }: Answer): unknown => (status === 400 || status === 503 ? body.code : status);
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
