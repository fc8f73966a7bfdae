import {
  createClient,
  fromPrivateKey,
  KeyRefusedError,
  MemoryHeadStore,
  NotFoundError,
  SignetError,
  WrongUsageError,
} from '@signet/sdk';
import { addressName, keyName } from '../keys/key-scenario.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { type RunningApp, startApp } from '../support/app.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';

/** What an owner says about the keys of an Avatar with the SDK, against the real service (docs/keys.md). */
describe('client.keys', () => {
  const [alice, bob, paper, ledger, next] = [
    anAvatar('alice'),
    anAvatar('bob'),
    anAvatar('words on paper'),
    anAvatar('ledger'),
    anAvatar('next'),
  ];
  const signerOf = ({ privateKey }: TestAvatar) => fromPrivateKey(privateKey);
  const AVATAR = alice.key.compressed;
  let running: RunningApp;
  let proxy: LyingProxy;
  beforeAll(async () => {
    running = await startApp();
    proxy = await startLyingProxy(running.baseUrl);
  });
  afterEach(() => {
    proxy.lie = null;
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
  });

  const client = (options: object = {}) => createClient({ baseUrl: proxy.baseUrl, retries: 0, ...options });

  it('shows an Avatar that says nothing about its keys', async () => {
    const keys = await client().keys.state(AVATAR);

    expect(keys).toMatchObject({ avatar: AVATAR, events: [], state: { committed: null, isFrozen: false } });
    expect(await client().keys.predecessors(AVATAR)).toEqual({ avatars: [], resting: 'server' });
  });

  it('names recovery keys by their hash or their address, and rehearses with them', async () => {
    const { keys } = client();
    const recovery = [await keys.nameOf(signerOf(paper)), await keys.nameOf(signerOf(ledger), 'eip155')];
    const { event, receipt } = await keys.commit({ signer: signerOf(alice), recovery, delayHours: 24 });

    expect(recovery).toEqual([keyName(paper), addressName(ledger)]);
    expect(event).toMatchObject({ action: 'key.commit', signer: 'main', due_at: event.recorded_at });
    expect(receipt).toContain(`uuid ${event.uuid}`);
    expect(await keys.rehearse({ avatar: AVATAR, signer: signerOf(ledger) })).toEqual({
      ...{ result: 'committed', name: addressName(ledger), place: 1 },
    });
    expect(await keys.rehearse({ avatar: AVATAR, signer: signerOf(alice) })).toMatchObject({ result: 'main' });
    expect(await keys.rehearse({ avatar: AVATAR, signer: signerOf(bob) })).toMatchObject({ result: 'unknown' });
  });

  it('refuses what the rules refuse, by a word for it, and what cannot be said, before anything is sent', async () => {
    const { keys } = client();
    const low = { avatar: AVATAR, signer: signerOf(ledger) };

    const thaw = await errorOf(keys.thaw(low));
    expect(thaw).toBeInstanceOf(KeyRefusedError);
    expect(thaw).toMatchObject({ code: 'not_frozen', status: 400, retryable: false });
    expect(await errorOf(keys.freeze({ avatar: AVATAR, signer: signerOf(bob) }))).toMatchObject({
      ...{ name: 'KeyRefusedError', code: 'key_not_committed' },
    });
    expect(await errorOf(keys.commit({ signer: signerOf(alice), recovery: [] }))).toBeInstanceOf(WrongUsageError);
    expect(await errorOf(keys.commit({ signer: signerOf(alice), recovery: ['ledger'] }))).toBeInstanceOf(
      WrongUsageError,
    );
  });

  it('refuses a contract wallet, which no signature shows to be one key', async () => {
    const wallet = {
      request: ({ method }: { method: string }) =>
        Promise.resolve(method === 'personal_sign' ? `0x${'ab'.repeat(200)}` : [aWallet('contract').address]),
    };

    expect(await errorOf(client().keys.nameOf(wallet as never, 'eip155'))).toMatchObject({ code: 'wrong_signer' });
  });

  it('freezes, thaws, vetoes and succeeds, and computes the same state as the server', async () => {
    const { keys } = client();
    await linkWallet(running, alice, aWallet('one'));
    const frozen = await keys.freeze({ avatar: AVATAR, signer: signerOf(ledger) });
    expect((await keys.state(AVATAR)).state).toMatchObject({ isFrozen: true, freeze: { until: frozen.event.due_at } });
    await keys.thaw({ avatar: AVATAR, signer: signerOf(paper) });
    const stolen = await keys.succeed({ signer: signerOf(alice), successor: signerOf(bob) });
    expect((await keys.state(AVATAR)).state.pendingSuccession).toMatchObject({ event: stolen.event.uuid });
    await keys.veto({ avatar: AVATAR, signer: signerOf(paper), event: stolen.event.uuid });
    const links = await client().chain(AVATAR).toArray();
    const last = await keys.succeed({
      ...{ avatar: AVATAR, signer: signerOf(paper), cosigner: signerOf(alice), successor: signerOf(next) },
    });

    expect(last.event).toMatchObject({ signer: 'main', cosigner: keyName(paper), due_at: last.event.recorded_at });
    expect(last.event.fields).toEqual({
      ...{ since_link: links[0]!.uuid, since_patch: null, successor: next.key.compressed },
    });
    const { state, events, resting } = await keys.state(AVATAR);
    expect(state.succession).toMatchObject({ successor: next.key.compressed, at: last.event.recorded_at });
    expect(events).toHaveLength(6);
    expect(resting).toMatchObject({ key: 'signature', record: 'server', whole: 'server' });
    expect(await keys.predecessors(next.key.compressed)).toEqual({ avatars: [AVATAR], resting: 'server' });
  });

  it('demands as many key events as the map counts', async () => {
    await headOfRecords(running, 7);
    const complete = () =>
      client({ demand: { complete: true }, log: { heads: new MemoryHeadStore(), logWaitMs: 0 } }).keys.state(AVATAR);

    expect((await complete()).resting).toMatchObject({ record: 'log', whole: 'map', map: { newer: 0 } });
    proxy.lie = (path, body) => {
      if (!path.startsWith('/v1/keys/chain')) return;
      (body as { keys: unknown[] }).keys.pop();
    };
    expect(await errorOf(complete())).toMatchObject({
      code: 'incomplete',
      message: expect.stringContaining(`1 of 6 key events of ${AVATAR} is missing, the newest among them.`),
    });
    proxy.lie = (path, body) => {
      if (!path.startsWith('/v1/keys/chain')) return;
      const [event] = (body as { keys: { due_at: number }[] }).keys.slice(-1);
      event!.due_at += 3_600;
    };
    expect(await errorOf(client().keys.state(AVATAR))).toMatchObject({ code: 'verification_failed' });
  });

  it('reads a server of before, which has no key events, as one with none', async () => {
    const fetchOfBefore: typeof fetch = (url, init) => fetch(String(url).replace('/v1/keys', '/v1/of-later'), init);
    const { keys } = client({ fetch: fetchOfBefore });

    expect((await keys.state(AVATAR)).events).toEqual([]);
    expect(await keys.predecessors(AVATAR)).toEqual({ avatars: [], resting: 'server' });
    const refusal = await errorOf(keys.freeze({ signer: signerOf(alice) }));
    expect(refusal).toBeInstanceOf(NotFoundError);
    expect(refusal).toBeInstanceOf(SignetError);
  });
});
