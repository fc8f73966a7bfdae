import { verifyPatchChain } from '@signet/verify';
import { patchSignersOf, verifyKeyChain } from '@signet/verify/key-events';
import { DataSource } from 'typeorm';
import { verifyChains } from '../../src/audit/verify-command.js';
import { readKvChain, writeKv } from '../kv/kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import {
  addKey,
  appPayload,
  edApp,
  passkeyApp,
  revokeKey,
  submitApp,
  type TestApp,
  walletApp,
  webApp,
  writeAsApp,
} from './app-scenario.js';
import { commit, DAY, keyPayload, letPass, say, signedKeyEvent, stateOf, succeed } from './key-scenario.js';

/** Keys of apps over HTTP, with real signatures; docs/keys.md says what must come of it. */
describe('keys of apps', () => {
  let server: RunningApp;
  let source: DataSource;
  let count = 0;
  beforeAll(async () => {
    server = await startApp({ env: { LOG: 'off' } });
    source = server.app.get(DataSource);
  });
  afterAll(() => server?.close());

  const owner = () => anAvatar(`owner of apps ${(count += 1)}`);
  const codeOf = ({ status, body }: Answer): unknown => (status === 400 ? body.code : status);
  const keysOf = async ({ key }: TestAvatar) => (await server.get(`/v1/keys/chain?avatar=${key.compressed}`)).body.keys;
  /** The chain of patches, checked as a client checks it. */
  const verified = async (avatar: TestAvatar) => {
    const patches = (await readKvChain(server, avatar)) as never[];
    const signers = patchSignersOf(await keysOf(avatar), { avatar: avatar.key.compressed });
    return { chain: patches, ...verifyPatchChain(patches, { avatar: avatar.key.compressed, signers }) };
  };

  it.each<[string, TestApp]>([
    ['ed25519', edApp('a program')],
    ['secp256k1', walletApp(anAvatar('a command'))],
    ['es256', webApp('a page')],
    ['es256 as a passkey', passkeyApp('a passkey')],
  ])('write content for their Avatar: %s', async (_, app) => {
    const alice = owner();

    const added = await addKey(server, alice, app);
    const first = await writeAsApp(server, alice, app, { name: 'Alice' });
    const own = await writeKv(server, alice, { city: 'Lisbon' });
    const again = await writeAsApp(server, alice, app, { city: null, n: 1 });
    const chain = await verified(alice);

    expect([added, first, own, again].map(codeOf)).toEqual([201, 201, 201, 201]);
    expect(added.body.key_event).toMatchObject({ action: 'key.add', signer: 'main', cosigner: app.name, patches: 0 });
    expect(chain).toMatchObject({ ok: true, complete: true, entries: [{ content: { name: 'Alice', n: 1 } }] });
    expect(chain.chain.map(({ signer }: { signer?: string }) => signer)).toEqual([app.name, undefined, app.name]);
    expect((await stateOf(server, alice)).app_keys).toMatchObject([
      { key: app.name, scopes: ['kv'], origin: app.origin },
    ]);
    expect(await revokeKey(server, alice, app, app)).toMatchObject({ status: 201 });
    expect(codeOf(await writeAsApp(server, alice, app, { late: true }))).toBe('key_revoked');
    expect(verifyKeyChain(await keysOf(alice))).toMatchObject({ ok: true });
    expect(await verified(alice)).toMatchObject({ ok: true, complete: true });
  });

  it('leave a reader without the key events with nothing that is checked, and no content', async () => {
    const [alice, app] = [owner(), edApp('a program')];
    await addKey(server, alice, app);
    await writeAsApp(server, alice, app, { name: 'Alice' });

    const result = verifyPatchChain((await readKvChain(server, alice)) as never[]);

    expect(result).toMatchObject({ ok: true, complete: false, entries: [] });
    expect(result.steps).toMatchObject([{ name: 'signature', state: 'not_checkable' }]);
  });

  it('stand in the feed with their signer, and have receipts and entries of before', async () => {
    const [alice, app] = [owner(), edApp('a program')];
    await addKey(server, alice, app);
    await writeKv(server, alice, { name: 'Alice' });
    await writeAsApp(server, alice, app, { name: 'Bob' });

    const { patches } = (await server.get('/v1/kv/changes?last_id=0&count=100')).body;
    const own = patches.filter(({ avatar }: { avatar: string }) => avatar === alice.key.compressed);

    expect(own.map((patch: object) => 'signer' in patch)).toEqual([false, true]);
    expect(own[1]).toMatchObject({ signer: app.name });
    expect(JSON.parse(own[1].signature_payload)).toMatchObject({ signer: app.name, prev: own[0].signature });
    expect(Object.keys(JSON.parse(own[0].signature_payload))).not.toContain('signer');
  });

  it('sign for what is in their scopes, whose identities are written as those of patches', async () => {
    const [alice, app] = [owner(), edApp('a program')];

    const added = await addKey(server, alice, app, { scopes: ['kv:github:Alice', 'kv:github:alice'] });
    const there = await writeAsApp(server, alice, app, { n: 1 }, { platform: 'github', identity: 'ALICE' });
    const other = await writeAsApp(server, alice, app, { n: 1 }, { platform: 'github', identity: 'bob' });
    const self = await writeAsApp(server, alice, app, { n: 1 });

    expect(added.body.key_event.fields.scopes).toEqual(['kv:github:alice']);
    expect([there, other, self].map(codeOf)).toEqual([201, 'key_out_of_scope', 'key_out_of_scope']);
    const wrong = await Promise.all(
      [['kv:github:'], ['kv:nowhere:alice'], ['kv:github:a b'], [], ['proof'], undefined].map((scopes) =>
        addKey(server, alice, app, { scopes }),
      ),
    );
    expect(wrong.map(codeOf)).toEqual([
      ...['invalid_key_event', 'unknown_platform', 'invalid_identity', 'invalid_key_event', 'invalid_key_event'],
      'invalid_key_event',
    ]);
  });

  it('sign nothing from the second on in which they expire, by the time of the record', async () => {
    const [alice, app] = [owner(), edApp('a program')];
    const now = Math.floor(Date.now() / 1000);
    await addKey(server, alice, app, { expires_at: now + 3_600 });
    const payload = await appPayload(server, alice, app, { n: 1 });
    await source.query(`update app_key set expires_at = to_timestamp($2) where avatar = $1`, [
      alice.key.compressed,
      now,
    ]);

    const late = await submitApp(server, alice, app, payload.body, { n: 1 });
    const asked = await appPayload(server, alice, app, { n: 1 });

    expect([late, asked].map(codeOf)).toEqual(['key_expired', 'key_expired']);
    // An expired key can be added again.
    expect(codeOf(await addKey(server, alice, app))).toBe(201);
    expect(codeOf(await writeAsApp(server, alice, app, { n: 2 }))).toBe(201);
    const ends = [now - 1, now + 730 * DAY + 600].map((expires_at) => addKey(server, alice, app, { expires_at }));
    expect((await Promise.all(ends)).map(codeOf)).toEqual(['key_expired', 'expiry_too_late']);
  });

  it('sign nothing where the newest patch has a time behind their end, which step 1 says', async () => {
    const [alice, app] = [owner(), edApp('a program')];
    const now = Math.floor(Date.now() / 1000);
    await writeKv(server, alice, { n: 1 });
    await source.query('update kv_patch set created_at = to_timestamp($2) where avatar = $1', [
      alice.key.compressed,
      now + 7_200,
    ]);
    await addKey(server, alice, app, { expires_at: now + 3_600 });

    expect(codeOf(await appPayload(server, alice, app, { n: 2 }))).toBe('key_expired');
  });

  describe('attacks', () => {
    it('a key that was revoked is never added again, and no event is replayed', async () => {
      const [alice, app] = [owner(), edApp('a program')];
      const payload = await keyPayload(server, alice, 'key.add', { key: app.name, scopes: ['kv'] });
      const body = signedKeyEvent(payload.body, alice, 'key.add', { also: { sign: app.sign } as TestAvatar });
      const added = await server.post('/v1/keys', body);
      const revoked = await revokeKey(server, alice, app);

      const replayed = await server.post('/v1/keys', body);
      const again = await addKey(server, alice, app);
      const twice = await revokeKey(server, alice, app);
      const other = await revokeKey(server, alice, edApp('another program'));

      expect([added, revoked, replayed, again, twice, other].map(codeOf)).toEqual([
        ...[201, 201, 'already_recorded', 'key_revoked', 'key_revoked', 'key_unknown'],
      ]);
    });

    it('nobody adds the key of somebody else, or moves its proof of possession', async () => {
      const [alice, mallory, app] = [owner(), owner(), edApp('a program of Bob')];
      const payload = await keyPayload(server, alice, 'key.add', { key: app.name, scopes: ['kv'] });
      const other = await keyPayload(server, mallory, 'key.add', { key: app.name, scopes: ['kv'] });
      const moved = app.sign(other.body.sign_payload);
      const submit = (cosignature?: string) =>
        server.post('/v1/keys', signedKeyEvent(payload.body, alice, 'key.add', { submit: { cosignature } }));

      const answers = [await submit(), await submit(moved), await submit(alice.sign(payload.body.sign_payload))];

      expect(answers.map(codeOf)).toEqual(['invalid_key_event', 'invalid_signature', 'invalid_signature']);
    });

    it('the text of one action is none of another, and that of a patch none of another signer', async () => {
      const [alice, app, other] = [owner(), edApp('a program'), edApp('another program')];
      await addKey(server, alice, app);
      await addKey(server, alice, other);
      const payload = await keyPayload(server, alice, 'key.revoke', { key: app.name });
      const asAdd = {
        ...payload.body,
        fields: { ...payload.body.fields, scopes: ['kv'], origin: null, expires_at: 2e9 },
      };
      const patch = await appPayload(server, alice, app, { n: 1 });

      const sent = await server.post(
        '/v1/keys',
        signedKeyEvent(asAdd, alice, 'key.add', { also: { sign: app.sign } as TestAvatar }),
      );
      const byOther = await submitApp(server, alice, other, patch.body, { n: 1 });
      const forged = await submitApp(server, alice, { ...app, sign: other.sign }, patch.body, { n: 1 });
      const byOwner = await submitApp(server, alice, { ...app, sign: alice.sign }, patch.body, { n: 1 });

      expect([sent, byOther, forged, byOwner].map(codeOf)).toEqual([
        ...['payload_mismatch', 'payload_mismatch', 'invalid_signature', 'invalid_signature'],
      ]);
    });

    it('only the main key adds; main key, recovery key and the key itself revoke', async () => {
      const [alice, paper, stranger] = [owner(), anAvatar('words on paper'), edApp('a stranger')];
      await commit(server, alice, [paper]);
      const apps = ['one', 'two', 'three'].map(edApp);
      for (const app of apps) await addKey(server, alice, app);

      const byPaper = await addKey(server, alice, stranger, {}, { by: paper });
      const byStranger = await revokeKey(server, alice, apps[0]!, stranger);
      const byOther = await revokeKey(server, alice, apps[0]!, apps[1]!);
      const byMallory = await revokeKey(server, alice, apps[0]!, anAvatar('mallory'));
      const good = [
        await revokeKey(server, alice, apps[0]!),
        await revokeKey(server, alice, apps[1]!, paper),
        await revokeKey(server, alice, apps[2]!, apps[2]!),
      ];

      expect([byPaper, byMallory].map(codeOf)).toEqual(['only_main_key', 'key_not_committed']);
      // 64 bytes can also be read as a signature of some wallet.
      for (const { body } of [byStranger, byOther])
        expect(body.code).toMatch(/^(key_not_committed|invalid_signature)$/);
      expect(good.map(codeOf)).toEqual([201, 201, 201]);
      expect((await stateOf(server, alice)).app_keys).toEqual([]);
    });

    it('a passkey signs on the pages of its origin only, with its user there', async () => {
      const [alice, app] = [owner(), passkeyApp('a passkey')];
      await addKey(server, alice, app);
      const elsewhere = passkeyApp('a passkey', { origin: 'https://app.example.org', host: 'app.example.org' });
      const bad = [
        elsewhere,
        passkeyApp('a passkey', { host: 'other.example.com' }),
        passkeyApp('a passkey', { flags: 1 }),
        passkeyApp('a passkey', { client: { crossOrigin: true } }),
        passkeyApp('a passkey', { client: { topOrigin: 'https://example.org' } }),
        passkeyApp('a passkey', { client: { type: 'webauthn.create' } }),
      ];

      const answers = [];
      for (const one of bad) answers.push(codeOf(await writeAsApp(server, alice, one, { n: 1 })));
      const added = await addKey(server, owner(), elsewhere);
      const revoked = await revokeKey(server, alice, app, elsewhere);

      expect(new Set(answers)).toEqual(new Set(['invalid_signature']));
      expect([added, revoked].map(codeOf)).toEqual(['invalid_signature', 'invalid_signature']);
      expect(codeOf(await writeAsApp(server, alice, app, { n: 1 }))).toBe(201);
    });

    it('keys with power are no keys of apps, and keys of apps get none', async () => {
      const [alice, paper] = [owner(), anAvatar('words on paper')];
      await commit(server, alice, [paper]);
      const tool = walletApp(anAvatar('a command'));
      await addKey(server, alice, tool);

      const answers = [
        await addKey(server, alice, walletApp(alice)),
        await addKey(server, alice, walletApp(paper)),
        await commit(server, alice, [anAvatar('a command')]),
        await say(server, alice, { action: 'key.freeze' }, { by: anAvatar('a command') }),
      ];

      expect(answers.map(codeOf)).toEqual(['own_app_key', 'own_app_key', 'own_app_key', 'key_not_committed']);
    });

    it('a thief of the main key cannot use up the events of a recovery key with keys of apps', async () => {
      const [alice, paper] = [owner(), anAvatar('words on paper')];
      await commit(server, alice, [paper]);

      const codes = [];
      for (let number = 0; number < 18; number += 1)
        codes.push(codeOf(await addKey(server, alice, edApp(`thief ${number}`))));
      const frozen = await say(server, alice, { action: 'key.freeze' }, { by: paper });

      expect(codes).toEqual([...Array<number>(17).fill(201), 'too_many_key_events_today']);
      expect(codeOf(frozen)).toBe(201);
      await letPass(source, alice, 31 * DAY);
      const more = [];
      for (let number = 18; number < 34; number += 1)
        more.push(codeOf(await addKey(server, alice, edApp(`thief ${number}`))));
      expect(more).toEqual([...Array<number>(15).fill(201), 'too_many_app_keys']);
    });

    it('a frozen Avatar, and one that was succeeded, writes by no key, and revokes all the same', async () => {
      const [alice, paper, app] = [owner(), anAvatar('words on paper'), edApp('a program')];
      await commit(server, alice, [paper]);
      await linkWallet(server, alice, aWallet('of apps'));
      await addKey(server, alice, app);
      const payload = await appPayload(server, alice, app, { n: 1 });
      await say(server, alice, { action: 'key.freeze' }, { by: paper });

      const frozen = await submitApp(server, alice, app, payload.body, { n: 1 });
      const added = await addKey(server, alice, edApp('another program'));
      const revoked = await revokeKey(server, alice, app);
      await say(server, alice, { action: 'key.thaw' }, { by: paper });
      const other = edApp('a third program');
      await addKey(server, alice, other);
      await succeed(server, alice, anAvatar('next'), { also: paper });

      expect([frozen, added, revoked].map(codeOf)).toEqual(['avatar_frozen', 'avatar_frozen', 201]);
      expect(codeOf(await writeAsApp(server, alice, other, { n: 1 }))).toBe('avatar_succeeded');
      expect((await stateOf(server, alice)).app_keys).toEqual([]);
    });
  });

  it('are refused by their form', async () => {
    const alice = owner();
    const names = ['ed25519', `ed25519:0x${'A'.repeat(64)}`, alice.key.compressed, `rsa:0x${'1'.repeat(64)}`];

    const signers = await Promise.all(
      names.map((name) => appPayload(server, alice, { ...edApp('a program'), name }, { n: 1 })),
    );
    const unknown = await appPayload(server, alice, edApp('a program'), { n: 1 });

    expect(signers.map(codeOf)).toEqual(names.map(() => 'invalid_public_key'));
    expect(codeOf(unknown)).toBe('key_unknown');
  });

  it('are checked by npm run verify, with the rows that follow from their events', async () => {
    const lines: string[] = [];
    const check = () =>
      verifyChains(
        (sql, values) => source.query(sql, values),
        (line) => lines.push(line),
      );
    const [alice, app] = [owner(), edApp('a program')];
    await source.query(
      'delete from kv_entry; delete from kv_patch; delete from app_key; delete from avatar_hold; delete from key_event',
    );
    await addKey(server, alice, app);
    await writeAsApp(server, alice, app, { n: 1 });
    await revokeKey(server, alice, app);

    expect([await check(), lines.join('\n')]).toEqual([true, expect.stringContaining('1 patches in 1 chains')]);
    await source.query(`update app_key set revoked = null`);
    expect([await check(), lines.join('\n')]).toEqual([false, expect.stringContaining('keys of apps of 0x')]);
    await source.query(`update app_key set revoked = (select uuid from key_event where action = 'key.revoke')`);
    await source.query(`update kv_patch set signer = null`);
    expect([await check(), lines.join('\n')]).toEqual([false, expect.stringContaining('BAD')]);
  });
});
