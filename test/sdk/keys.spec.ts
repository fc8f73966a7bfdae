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
import { proxiedApp } from '../page/proxied-app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
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
  const service = proxiedApp();

  const client = (options: object = {}) => createClient({ baseUrl: service.proxy.baseUrl, retries: 0, ...options });

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
    await linkWallet(service.running, alice, aWallet('one'));
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
    await headOfRecords(service.running, 7);
    const complete = () =>
      client({ demand: { complete: true }, log: { heads: new MemoryHeadStore(), logWaitMs: 0 } }).keys.state(AVATAR);

    expect((await complete()).resting).toMatchObject({ record: 'log', whole: 'map', map: { newer: 0 } });
    service.proxy.lie = (path, body) => {
      if (!path.startsWith('/v1/keys/chain')) return;
      (body as { keys: unknown[] }).keys.pop();
    };
    expect(await errorOf(complete())).toMatchObject({
      code: 'incomplete',
      message: expect.stringContaining(`1 of 6 key events of ${AVATAR} is missing, the newest among them.`),
    });
    service.proxy.lie = (path, body) => {
      if (!path.startsWith('/v1/keys/chain')) return;
      const [event] = (body as { keys: { due_at: number }[] }).keys.slice(-1);
      event!.due_at += 3_600;
    };
    expect(await errorOf(client().keys.state(AVATAR))).toMatchObject({ code: 'verification_failed' });
  });

  it('follows an Avatar to the one that has come after it, by the key events of each', async () => {
    const [old, last] = [AVATAR, next.key.compressed];
    await linkWallet(service.running, next, aWallet('two'));
    const one = client();

    expect(await one.keys.follow(last)).toEqual({ avatar: last, steps: [] });
    const { avatar, steps } = await one.keys.follow(old);
    expect(avatar).toBe(last);
    expect(steps).toMatchObject([{ avatar: old, successor: last, resting: { key: 'signature' } }]);
    expect(await one.proofs.of(old)).toMatchObject({ avatar: old, successor: last });
    expect(await one.proofs.of(old, { follow: true })).toMatchObject({ avatar: last, followed: steps });
    expect(await one.resolve(old, { follow: true })).toMatchObject({ avatar: last, account: null, followed: steps });
    expect(await one.kv.get(old, { follow: true })).toBeNull();
    const account = { platform: 'ethereum', identity: aWallet('one').address };
    expect(await one.resolve(account, { follow: true })).toMatchObject({
      ...{ avatar: last, account: { identity: account.identity }, followed: steps },
    });
  });

  it('applies key events that the server hides from a look-up, with demand: { complete }', async () => {
    await headOfRecords(service.running, 8);
    const complete = () => client({ demand: { complete: true }, log: { heads: new MemoryHeadStore(), logWaitMs: 0 } });
    service.proxy.lie = (path, body) => {
      if (path.startsWith('/v1/proof?'))
        for (const group of (body as { ids: object[] }).ids) delete (group as { successor?: string }).successor;
    };

    expect(await complete().proofs.of(AVATAR)).toMatchObject({ successor: next.key.compressed });
    service.proxy.lie = (path, body) => {
      if (path.startsWith('/v1/keys/chain')) (body as { keys: unknown[] }).keys.pop();
    };
    expect(await errorOf(complete().proofs.of(AVATAR))).toMatchObject({ code: 'incomplete' });
    expect(await errorOf(complete().keys.follow(AVATAR))).toMatchObject({ code: 'incomplete' });
    expect(await errorOf(complete().resolve(AVATAR))).toMatchObject({ code: 'incomplete' });
  });

  it('takes a binding behind the last link of the owner where it is shown as invalid, and not as valid', async () => {
    const [carol, safe, after] = [anAvatar('carol'), anAvatar('safe of carol'), anAvatar('after carol')];
    const of = carol.key.compressed;
    const { keys } = client();
    await keys.commit({ signer: signerOf(carol), recovery: [keyName(safe)] });
    await linkWallet(service.running, carol, aWallet('one'));
    const [own] = await client().chain(of).toArray();
    const words = { platform: await client().serviceName(), identity: of, signer: signerOf(carol) };
    const { proofs: ownContent } = await client().kv.patch({ ...words, patch: { profile: { name: 'Carol' } } });
    const [ownPatch] = await client().kv.chain(of).toArray();
    await linkWallet(service.running, carol, aWallet('stolen'));
    const { proofs: allContent } = await client().kv.patch({ ...words, patch: { profile: { name: 'Thief' } } });
    await keys.succeed({
      ...{ signer: signerOf(carol), cosigner: signerOf(safe), successor: signerOf(after) },
      ...{ sinceLink: own!.uuid, sincePatch: ownPatch!.uuid },
    });
    await headOfRecords(service.running, 14);
    const complete = () => client({ demand: { complete: true }, log: { heads: new MemoryHeadStore(), logWaitMs: 0 } });
    const look = (platform: string, identity: string) => complete().proofs.find({ platform, identity }).toArray();

    const reason = 'made after the key was reported stolen';
    const stolen = { identity: aWallet('stolen').address, is_valid: false, invalid_reason: reason };
    const name = { platform: 'ethereum', identity: stolen.identity, avatar: of };

    const { proofs } = (await complete().proofs.of(of))!;
    expect(proofs).toHaveLength(2);
    expect(proofs).toEqual(
      expect.arrayContaining([
        expect.objectContaining(stolen),
        expect.objectContaining({ identity: aWallet('one').address, is_valid: true }),
      ]),
    );
    expect(await look('ethereum', stolen.identity)).toMatchObject([
      { avatar: of, proofs: expect.arrayContaining([expect.objectContaining(stolen)]) },
    ]);
    expect(await complete().proofs.exists(name)).toMatchObject({ is_valid: false, invalid_reason: reason });
    const account = { platform: 'ethereum', identity: stolen.identity };
    expect(await complete().resolve(account)).toMatchObject({
      ...{ avatar: of, account: { state: 'invalid', reason }, profile: { name: 'Carol' } },
    });
    expect(await complete().resolve(account, { follow: true })).toMatchObject({ avatar: after.key.compressed });

    expect((await complete().kv.get(of))!.proofs).toMatchObject([{ content: { profile: { name: 'Carol' } } }]);
    const showing = (proofs: object[]) => {
      service.proxy.lie = (path, body) =>
        void (path.startsWith('/v1/kv?') && Object.assign(body as object, { proofs }));
    };
    showing(ownContent);
    for (const one of [complete(), client()]) expect((await one.kv.get(of))!.proofs).toEqual(ownContent);
    showing(allContent);
    expect((await complete().kv.get(of))!.proofs).toMatchObject([{ content: { profile: { name: 'Carol' } } }]);
    showing([]);
    for (const one of [complete(), client()]) {
      expect(await errorOf(one.kv.get(of))).toMatchObject({ code: 'verification_failed' });
    }

    const called = { is_valid: true, invalid_reason: '' };
    const lie = (answer: object) => {
      const { ids } = answer as { ids?: { proofs: object[] }[] };
      if (!ids) return void ('is_valid' in answer && Object.assign(answer, called));
      for (const group of ids) for (const proof of group.proofs) Object.assign(proof, called);
    };
    service.proxy.lie = (path, body) => {
      if (/^\/v1\/proof(\/exists)?\?/.test(path)) lie(body as object);
      if (!path.startsWith('/v1/resolve')) return;
      for (const { json } of (body as { answers: { json?: object }[] }).answers) if (json) lie(json);
    };
    const refusal = { code: 'incomplete', message: expect.stringContaining('is shown as valid, and was made behind') };
    expect(await errorOf(look('ethereum', stolen.identity))).toMatchObject(refusal);
    expect(await errorOf(complete().proofs.of(of))).toMatchObject(refusal);
    expect(await errorOf(complete().proofs.exists(name))).toMatchObject(refusal);
    expect(await errorOf(complete().resolve(account))).toMatchObject(refusal);
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
