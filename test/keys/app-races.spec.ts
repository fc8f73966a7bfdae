import { verifyPatchChain } from '@signet/verify';
import { patchSignersOf } from '@signet/verify/key-events';
import { readKvChain } from '../kv/kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, type TestAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { addKey, appPayload, edApp, submitApp, type TestApp, writeAsApp } from './app-scenario.js';
import { keyPayload, signedKeyEvent } from './key-scenario.js';

const codeOf = ({ status, body }: Answer): unknown => (status === 400 ? body.code : status);

describe('keys of apps on two servers of one database', () => {
  let database: TestDatabase;
  let servers: [RunningApp, RunningApp];
  beforeAll(async () => {
    database = await createTestDatabase();
    const start = () => startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    servers = [await start(), await start()];
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await database?.drop();
  });

  /** What a reader of the chains says. */
  const check = async (avatar: TestAvatar) => {
    const of = avatar.key.compressed;
    const { keys } = (await servers[0].get(`/v1/keys/chain?avatar=${of}`)).body;
    const patches = (await readKvChain(servers[1], avatar)) as never[];
    return verifyPatchChain(patches, { avatar: of, signers: patchSignersOf(keys, { avatar: of }) });
  };
  /** Writes in a loop until it is refused; answers how many patches were recorded, and the last answer. */
  const writeUntilRefused = async (server: RunningApp, avatar: TestAvatar, app: TestApp) => {
    for (let number = 1; ; number += 1) {
      const answer = await writeAsApp(server, avatar, app, { number });
      if (answer.status !== 201) return { recorded: number - 1, answer };
    }
  };

  it('a revoke and a patch that are sent in one millisecond have one order, which all chains show', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [alice, app] = [anAvatar(`alice of apps ${round}`), edApp(`a program ${round}`)];
      const [one, other] = round % 2 === 0 ? servers : [servers[1], servers[0]];
      await addKey(one, alice, app);
      const event = await keyPayload(one, alice, 'key.revoke', { key: app.name });
      const patch = await appPayload(other, alice, app, { round });
      const [revoked, patched] = await Promise.all([
        one.post('/v1/keys', signedKeyEvent(event.body, alice, 'key.revoke')),
        submitApp(other, alice, app, patch.body, { round }),
      ]);

      expect(revoked.status).toBe(201);
      expect(codeOf(patched)).toBe(revoked.body.key_event.patches === 1 ? 201 : 'key_revoked');
      if (patched.status === 201) expect(await check(alice)).toMatchObject({ ok: true, complete: true });
      expect(codeOf(await writeAsApp(other, alice, app, { late: true }))).toBe('key_revoked');
    }
  });

  it('an app that writes in a loop cannot make its own revoke stale', async () => {
    const [alice, app] = [anAvatar('alice of a loop'), edApp('a program in a loop')];
    await addKey(servers[0], alice, app);

    const writing = writeUntilRefused(servers[1], alice, app);
    const payload = await keyPayload(servers[0], alice, 'key.revoke', { key: app.name });
    for (let length = 0; length < 3;) length = ((await readKvChain(servers[0], alice)) as unknown[]).length;
    const revoked = await servers[0].post('/v1/keys', signedKeyEvent(payload.body, alice, 'key.revoke'));
    const { recorded, answer } = await writing;

    expect(revoked.status).toBe(201);
    expect(revoked.body.key_event.patches).toBe(recorded);
    expect(codeOf(answer)).toBe('key_revoked');
    expect(await check(alice)).toMatchObject({ ok: true, complete: true });
  });
});

describe('keys of apps on the embedded database', () => {
  it('write, and are in receipts and the log', async () => {
    const server = await startApp({ engine: 'embedded' });
    try {
      const [alice, app] = [anAvatar('alice'), edApp('a program')];
      const answers = [await addKey(server, alice, app), await writeAsApp(server, alice, app, { name: 'Alice' })];

      expect(answers.map(codeOf)).toEqual([201, 201]);
      for (const { body } of answers) expect(typeof body.receipt).toBe('string');
    } finally {
      await server.close();
    }
  });
});
