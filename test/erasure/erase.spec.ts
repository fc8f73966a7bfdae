import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, MemoryReceiptStore } from '@signet/sdk';
import { LogMonitor, type MonitorEvent, type MonitorState } from '@signet/sdk/log';
import { verifyExport } from '@signet/verify';
import { identityKeyText } from '@signet/verify/internal/chains';
import { readEntry, readLogProof, verifyExportLog, verifyLogProof, verifyReceipt } from '@signet/verify/log';
import { runHere } from '../../packages/cli/test/terminal.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import type { RunningApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { countRecords, getRaw, headOfRecords, policyOf, proofOf } from '../transparency-log/log-client.js';
import { runLogCommand } from '../transparency-log/tampering.js';
import { runErase, runVerify, tablesLeftWith, tablesWith } from './erase-command.js';

const TOKEN = 'a-token-that-only-this-test-knows';
const REASON = 'order 12 of the court of Springfield';
const alice = anAvatar('alice');
const bob = anAvatar('bob');
const wallet = aWallet('alice');

let dataDir: string;
let database: TestDatabase;
let world: GistWorld;
let app: RunningApp;
/** A monitor that has read the log before anything was erased. */
let before: MonitorState;
/** The link that is erased first, and its receipt, as its owner keeps them. */
let original: { uuid: string; signature: string; id: number };
let receipt: string;

const erase = (...words: string[]) => runErase(database.url, words, { DATA_DIR: dataDir });
const check = () => runLogCommand(database.url, dataDir, ['check']);

async function follow(state?: MonitorState): Promise<MonitorEvent[]> {
  const events: MonitorEvent[] = [];
  const monitor = new LogMonitor({
    baseUrl: app.baseUrl,
    once: true,
    state,
    identities: ['github:alice-secret'],
  });
  for await (const event of monitor.follow()) events.push(event);
  before ??= monitor.state;
  return events;
}

const alarmsIn = (events: MonitorEvent[]) => events.filter(({ type }) => type === 'alarm');
const linksOf = async () => (await app.get('/v1/proofchain/changes?last_id=0')).body.links;
const patchesOf = async () => (await app.get('/v1/kv/changes?last_id=0')).body.patches;

/** Four links and three patches, some with what has to be erased, in the log; and a subscriber who is not there. */
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const env = { DATA_DIR: dataDir, ADMIN_TOKEN: TOKEN, WEBHOOK_ALLOW_PRIVATE: 'true' };
  world = await startGistWorld({ databaseUrl: database.url, env });
  app = world.app;
  const subscription = { url: 'http://127.0.0.1:9/hook' };
  const { status } = await app.post('/admin/v1/subscriptions', subscription, { authorization: `Bearer ${TOKEN}` });
  expect(status).toBe(201);
  await world.bind(alice, 'aaaa1111', 'alice-secret');
  await linkWallet(app, alice, wallet);
  await world.bind(bob, 'bbbb2222', 'bob-public');
  await writeKv(app, alice, { motto: 'alice-whispers', age: 1 }, { platform: 'github', identity: 'alice-secret' });
  await writeKv(app, alice, { motto: null, age: 2 }, { platform: 'github', identity: 'alice-secret' });
  await writeKv(app, alice, { hello: 'world' });
  await headOfRecords(app, 6);
  await until(async () => (await tablesWith(database.url, 'alice-secret')).includes('webhook_delivery'));
  [original] = await linksOf();
  receipt = (await getRaw(app, `/v1/log/receipt?uuid=${original.uuid}`)).text;
  expect(alarmsIn(await follow())).toEqual([]);
});
afterAll(async () => {
  await world?.close();
  await database?.drop();
});

describe('npm run log -- erase', () => {
  it.each([
    [['--link', '1']],
    [['--link', '1', '--reason', ' ']],
    [['--link', '1', '--reason', 'x'.repeat(201)]],
    [['--link', '1', '--reason', 'two\nlines']],
    [['--link', 'one', '--reason', REASON]],
    [['--link', '1', '--patch', '1', '--reason', REASON]],
    [['--reason', REASON, '--yes']],
    [['--link', '1', '--reason', REASON, '--force']],
  ])('shows how it is used for %j', async (words) => {
    const { code, said } = await erase(...words);

    expect(code).toBe(2);
    expect(said).toContain('Usage: npm run log -- erase --link <id or uuid> --reason');
  });

  it('refuses what is not there, and a link on which a binding rests, until it is told to take that too', async () => {
    expect(await erase('--link', '99', '--reason', REASON, '--yes')).toMatchObject({
      code: 1,
      said: expect.stringContaining('The feed has no link 99'),
    });
    expect(await erase('--link', '1', '--reason', REASON, '--yes')).toMatchObject({
      code: 1,
      said: 'Nothing was erased. A binding rests on this link. Add --with-binding to take it out of all answers, too.',
    });
  });

  it('says what it would do without --yes, and changes nothing', async () => {
    const { code, said } = await erase('--link', original.uuid, '--reason', REASON, '--with-binding');

    expect(code).toBe(0);
    expect(said).toContain(`This would erase the text of the link 1 (${original.uuid})`);
    expect(said).toContain('Nothing was changed. Add --yes to erase it.');
    expect((await linksOf())[0]).toEqual(original);
    expect((await app.get('/v1/log')).body).toMatchObject({ state: 'ok', waiting: 0 });
    expect(await countRecords(app)).toBe(6);
  });
});

describe('a link that was erased with its binding', () => {
  beforeAll(async () => {
    // What the content says of the name is erased first, so that nothing names it afterwards.
    expect((await erase('--patch', '1', '--reason', REASON, '--yes')).said).toContain('its entry is {"age":2} now');
    expect((await erase('--patch', '2', '--reason', REASON, '--yes')).said).toContain('no other patch and is gone');
    const { code, said } = await erase('--link', '1', '--reason', REASON, '--with-binding', '--yes');
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('the binding that rests on it') });
    await headOfRecords(app, 9);
  });

  it('leaves nothing of its texts in any table', async () => {
    for (const text of ['alice-secret', 'alice-whispers']) {
      expect([text, await tablesLeftWith(database.url, text)]).toEqual([text, []]);
    }
    expect(await tablesWith(database.url, 'bob-public')).toContain('webhook_delivery');
  });

  it('is shown in feed and chain as what it is, with members that older clients know', async () => {
    const [link] = await linksOf();
    const { extra, ...texts } = link;

    expect(extra).toEqual({});
    expect(texts).toEqual({
      id: 1,
      avatar: alice.key.compressed,
      action: 'create',
      platform: 'github',
      identity: '',
      proof_location: '',
      created_at: expect.stringMatching(/^\d+$/),
      signature: original.signature,
      signature_payload: '',
      uuid: original.uuid,
      archive_id: '',
      erased: {
        at: expect.any(Number),
        identity_key: identityKeyText({ platform: 'github', identity: 'alice-secret' }),
        reason: REASON,
        record: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    const { body } = await app.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
    expect(body.proof_chain[0]).toMatchObject({
      identity: '',
      signature: original.signature,
      erased: { reason: REASON },
    });
    expect((await app.get('/v1/proof?platform=github&identity=alice-secret')).body.ids).toEqual([]);
    const names = `platform=github&identity=alice-secret&public_key=${alice.key.compressed}`;
    for (const route of ['exists', 'evidence', 'history']) {
      expect([route, (await app.get(`/v1/proof/${route}?${names}`)).status]).toEqual([route, 404]);
    }
  });

  it('has an entry in the log, which its uuid proves; the entry of the link itself is still there', async () => {
    const [link] = await linksOf();
    const policy = await policyOf(app);
    const proof = await proofOf(app, `uuid=${link.uuid}`);

    expect(verifyLogProof(proof, { link, policy })).toMatchObject({
      ok: true,
      entry: { kind: 'erased_link', id: 1, uuid: link.uuid, recorded_at: link.erased.at },
    });
    expect(verifyLogProof(proof, { link: original as never, policy })).toMatchObject({ ok: false });
    for (const query of ['kind=link&id=1', `kind=link&uuid=${link.uuid}`]) {
      const old = await proofOf(app, query);
      expect(verifyLogProof(old, { link: original as never, policy })).toMatchObject({ ok: true });
      expect(readEntry(readLogProof(old)!.extra!)!.record).toBe(link.erased.record);
      // Of what is shown now it proves what that did, and not that it was erased.
      const entry = { kind: 'link', action: 'create', identity_key: link.erased.identity_key };
      expect(verifyLogProof(old, { link, policy })).toMatchObject({ ok: true, entry });
      const asErasure = verifyLogProof(old, { link, about: 'erasure', policy });
      expect(asErasure.steps.find(({ name }) => name === 'entry')).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining('No entry of the log says that its text was erased'),
      });
    }
    const wrong = await app.get(`/v1/log/proof?kind=erased_kv&uuid=${link.uuid}`);
    expect(wrong).toMatchObject({ status: 404, body: { code: 'record_not_found' } });
    const none = await app.get('/v1/log/proof?kind=erased_link&id=2');
    expect(none).toMatchObject({ status: 404, body: { code: 'record_not_found' } });
  });

  it('has no new receipt, and the old one fits what its owner keeps', async () => {
    const policy = await policyOf(app);
    const proof = await proofOf(app, `kind=link&uuid=${original.uuid}`);
    const [link] = await linksOf();

    expect(await app.get(`/v1/log/receipt?uuid=${original.uuid}`)).toMatchObject({
      status: 404,
      body: { code: 'record_erased' },
    });
    const now = Date.now() / 1000;
    expect(verifyReceipt(receipt, { link: original as never, proof, policy, now }).ok).toBe(true);
    const receipts = new MemoryReceiptStore();
    const { verifier_key: verifierKey } = (await app.get('/v1/log')).body;
    receipts.add(app.baseUrl, { uuid: original.uuid, receipt, verifierKey });
    const kept = await createClient({ baseUrl: app.baseUrl, demand: { log: true }, log: { receipts } }).checkReceipts();
    expect(kept).toMatchObject({ fulfilled: [{ uuid: original.uuid }], waiting: [] });
    const withTombstone = verifyReceipt(receipt, { link, proof, policy, now });
    expect(withTombstone.ok).toBe(true);
    expect(withTombstone.steps.filter(({ state }) => state === 'not_checkable').map(({ name }) => name)).toEqual([
      'record',
      'entry',
      'witnesses',
    ]);
  });

  it('is no alarm for audit and monitor, which tell of it by its reason', async () => {
    for (const state of [undefined, before]) {
      const events = await follow(state);

      expect(alarmsIn(events)).toEqual([]);
      expect(events.filter(({ type }) => type === 'erased')).toMatchObject([
        { entry: { kind: 'erased_kv', id: 1 } },
        { entry: { kind: 'erased_kv', id: 2 } },
        { entry: { kind: 'erased_link', id: 1 }, message: expect.stringContaining(REASON) },
      ]);
    }
    // Who watches the name finds what is about it, although nobody can read that.
    const watched = (await follow()).filter(({ type }) => type === 'watched');
    expect(watched).toMatchObject([
      { entry: { kind: 'link', id: 1 }, record: { identity: '' } },
      { entry: { kind: 'kv', id: 1 }, record: { identity: '' } },
      { entry: { kind: 'kv', id: 2 }, record: { identity: '' } },
    ]);
  });

  it('is no finding of npm run verify and npm run log -- check', async () => {
    expect(await runVerify(database.url)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/3 links in 2 chains, 2 bindings, 1 texts erased[^]*3 patches .* 2 texts erased/),
    });
    expect(await check()).toMatchObject({ code: 0, said: expect.stringContaining('All is as it was signed') });
  });

  it('does not break its chain: what was signed before and after verifies, in the SDK too', async () => {
    expect((await linkWallet(app, alice, aWallet('second'))).status).toBe(201);
    await headOfRecords(app, 10);
    const client = createClient({ baseUrl: app.baseUrl, demand: { log: true } });

    const links = await client.chain(alice.key.compressed).toArray();
    expect(links.map(({ identity }) => identity)).toEqual(['', wallet.address, aWallet('second').address]);
    expect(links[0]).toMatchObject({ erased: { reason: REASON } });
    expect((await client.kv.get(alice.key.compressed))!.proofs).toMatchObject([{ content: { hello: 'world' } }]);
    expect((await client.proofs.of(alice.key.compressed))!.proofs).toHaveLength(2);
  });

  it('can be exported, and the file says what cannot be checked', async () => {
    const file = await createClient({ baseUrl: app.baseUrl }).export(alice.key.compressed);
    const open = ({ steps }: { steps: { name: string; state: string }[] }) =>
      steps.filter(({ state }) => state === 'not_checkable').map(({ name }) => name);

    const result = verifyExport(file);
    expect(result).toMatchObject({ ok: true, complete: false });
    expect(open(result)).toEqual(['erased', 'erased', 'erased', 'log']);
    expect(verifyExportLog(file, {}).steps.filter(({ name }) => name === 'logged')).toMatchObject([{ state: 'ok' }]);
    const name = path.join(dataDir, 'export.json');
    await writeFile(name, JSON.stringify(file));
    const { code, text } = await runHere(['verify', name]);
    expect({ code, text }).toMatchObject({
      code: 0,
      text: expect.stringContaining(`erased (${JSON.stringify(REASON)}`),
    });
  });

  it('is told by signet log audit and signet chain', async () => {
    const signet = (...words: string[]) => runHere(words, { HOME: dataDir, SIGNET_SERVER: app.baseUrl });

    expect(await signet('log', 'audit')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^erased .*link 1.*court/m),
    });
    const { code, text } = await signet('chain', alice.key.compressed, '--verify');
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining(`(erased: ${REASON})`) });
  });

  it('cannot be erased twice', async () => {
    expect(await erase('--link', '1', '--reason', REASON, '--yes')).toMatchObject({
      code: 1,
      said: 'Nothing was erased. The text of this link was erased before.',
    });
  });
});

describe('a patch that changed older content', () => {
  it('is not erased without a word, brings nothing older back, and leaves its entry incomplete', async () => {
    await writeKv(app, bob, { motto: 'first', list: [1], name: 'Bob' });
    await writeKv(app, bob, { motto: 'second', list: null });
    await headOfRecords(app, 12);
    const contentOfBob = async () => (await app.get(`/v1/kv?avatar=${bob.key.compressed}`)).body.proofs;

    expect(await erase('--patch', '5', '--reason', REASON, '--yes')).toMatchObject({
      code: 1,
      said: expect.stringContaining('from what this patch had changed: /name. Add --with-content'),
    });
    expect((await erase('--patch', '5', '--reason', REASON, '--with-content', '--yes')).code).toBe(0);
    expect(await contentOfBob()).toMatchObject([{ content: {}, incomplete: true }]);
    expect((await writeKv(app, bob, { motto: 'third' })).body.proofs).toMatchObject([
      { content: { motto: 'third' }, incomplete: true },
    ]);
    const [{ platform, identity, content }] = await contentOfBob();
    expect(content).toEqual({ motto: 'third' });
    const query = `platform=${platform}&identity=${identity}`;
    expect((await app.get(`/v1/kv/by_identity?${query}`)).body.values).toMatchObject([{ incomplete: true }]);
    await headOfRecords(app, 13);
    expect((await patchesOf())[4]).toMatchObject({
      identity: '',
      patch: {},
      signature_payload: '',
      erased: { reason: REASON },
    });
    expect(alarmsIn(await follow(before))).toEqual([]);
  });

  it('leaves what more than a hundred patches behind it add up to', async () => {
    const carol = anAvatar('carol');
    for (let number = 0; number < 120; number++) await writeKv(app, carol, { [`key ${number}`]: number });
    await headOfRecords(app, 133);
    const { body } = await app.get('/v1/kv/changes?last_id=0&count=100');
    const first = body.patches.find(({ avatar }: { avatar: string }) => avatar === carol.key.compressed);

    const { code } = await erase('--patch', `${first.id + 9}`, '--reason', REASON, '--with-content', '--yes');

    expect(code).toBe(0);
    const [entry] = (await app.get(`/v1/kv?avatar=${carol.key.compressed}`)).body.proofs;
    const numbers = Array.from({ length: 110 }, (_none, index) => index + 10);
    expect(entry).toMatchObject({ incomplete: true });
    expect(entry.content).toEqual(Object.fromEntries(numbers.map((number) => [`key ${number}`, number])));
  });
});

describe('a record that is not in the log', () => {
  it('is not erased before it is, unless this deployment keeps no log', async () => {
    const other = await createTestDatabase();
    const env = { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')), LOG: 'off' };
    const quiet = await startGistWorld({ databaseUrl: other.url, env });
    try {
      await linkWallet(quiet.app, alice, wallet);
      const words = ['--link', '1', '--reason', REASON, '--with-binding', '--yes'];
      expect(await runErase(other.url, words, { ...env, LOG: 'on' })).toMatchObject({
        code: 1,
        said: expect.stringContaining('The log does not have it yet'),
      });
      expect(await runErase(other.url, words, env)).toMatchObject({ code: 0 });
    } finally {
      await quiet.close();
    }
    // A log that begins later takes in both: that there was a link, and that it was erased.
    const logged = await startGistWorld({ databaseUrl: other.url, env: { ...env, LOG: 'on' } });
    try {
      await headOfRecords(logged.app, 2);
      const events: MonitorEvent[] = [];
      for await (const event of new LogMonitor({ baseUrl: logged.app.baseUrl, once: true }).follow())
        events.push(event);
      expect(alarmsIn(events)).toEqual([]);
      expect(events.filter(({ type }) => type === 'erased')).toHaveLength(1);
    } finally {
      await logged.close();
      await other.drop();
    }
  });
});
