import { type AnswerOptions, createClient, fromPrivateKey, type Hex, type Resting, WrongUsageError } from '@signet/sdk';
import { CompleteReads, LogChecker, Transport } from '@signet/sdk/log';
import { createLooks } from '@signet/sdk/look';
import { identityKeyText } from '@signet/verify/internal/chains';
import { linkRecord, patchRecord } from '@signet/verify/internal/log';
import { writeVerifierKey } from '@signet/verify/log';
import { noteSigner } from '@signet/verify/log-sign';
import { type Answer, type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { completeClient, errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';

/** Answers that are well-formed and signed, over a log and a map that are as they should be. */
describe('what a client with demand: { complete: true } does not believe', () => {
  const [alice, mallory] = [anAvatar('alice'), anAvatar('mallory')];
  const [ofAlice, ofMallory] = [alice.key.compressed, mallory.key.compressed];
  const [one, two, none] = [aWallet('one'), aWallet('two'), aWallet('none')];
  const signer = fromPrivateKey(alice.privateKey);
  let running: RunningApp;
  let proxy: LyingProxy;
  /** As the feed shows them: `one` bound, revoked and bound again, then `two` bound and revoked. */
  let links: Answer[];
  let patches: Answer[];
  beforeAll(async () => {
    running = await startApp();
    proxy = await startLyingProxy(running.baseUrl);
    for (const [wallet, action] of [
      [one, 'create'],
      [one, 'delete'],
      [one, 'create'],
      [two, 'create'],
      [two, 'delete'],
    ] as const)
      await linkWallet(running, alice, wallet, { action });
    await linkWallet(running, mallory, two);
    const { kv } = createClient({ baseUrl: running.baseUrl });
    for (const patch of [{ name: 'Alice' }, { key: 'revoked' }, { color: 'green' }]) {
      await kv.patch({ platform: 'ethereum', identity: one.address, patch, signer });
    }
    await headOfRecords(running, 9);
    links = (await running.get('/v1/proofchain/changes?last_id=0')).body.links;
    patches = (await running.get('/v1/kv/changes?last_id=0')).body.patches;
  });
  afterEach(() => {
    proxy.lie = null;
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
  });

  const client = () => completeClient(proxy.baseUrl);
  /** What a record would say had its text been erased, which the log does not say. */
  const calledErased = (item: Answer, record: string) => ({
    ...item,
    identity: '',
    signature_payload: '',
    ...('patch' in item ? { patch: {} } : { proof_location: '', extra: {} }),
    erased: {
      at: Number(item.created_at),
      reason: 'order',
      record,
      identity_key: identityKeyText(item),
    },
  });
  const showsChain = (chain: Answer[]) => (path: string, answer: Answer) => {
    if (path.startsWith(`/v1/proofchain?public_key=${ofAlice}`)) {
      answer.proof_chain = chain;
    }
  };
  const group = (avatar: Hex, made: Answer[]) => ({
    avatar,
    last_archive_id: '',
    activated_at: '1',
    proofs_total: made.length,
    proofs: made.map(({ platform, identity, created_at }) => ({
      ...{ platform, identity, created_at, last_checked_at: '1', is_valid: true, invalid_reason: '' },
    })),
  });
  const binding = { platform: 'ethereum', identity: one.address, avatar: ofAlice };

  it('that a text was erased, where the log does not say so: of a revoke, of a binding, of a patch', async () => {
    const ownLinks = links.filter(({ avatar }) => avatar === ofAlice);
    const without = (hidden: Answer) =>
      showsChain(ownLinks.map((link) => (link === hidden ? calledErased(link, linkRecord(link)) : link)));
    const [, , again, , revoke] = ownLinks;
    const shown: [Answer, Answer[]][] = [
      [revoke, [again, ownLinks[3]]],
      [again, []],
    ];
    for (const [hidden, made] of shown) {
      const chain = without(hidden);
      proxy.lie = (path, answer) => {
        chain(path, answer);
        if (path.startsWith('/v1/proof?')) answer.ids = [group(ofAlice, made)];
      };
      for (const demanded of ['log', 'complete'] as const) {
        const asked = createClient({
          baseUrl: proxy.baseUrl,
          demand: { [demanded]: true },
          retries: 0,
          log: { logWaitMs: 0 },
        });
        expect((await errorOf(asked.proofs.of(ofAlice))).message).toMatch(
          /No entry of the log says that its text was erased/,
        );
      }
    }

    const [first, second, third] = patches;
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/kv?'))
        Object.assign(answer.proofs[0], { content: { color: 'green' }, incomplete: true });
      if (path.startsWith('/v1/kv/chain?')) answer.kv_chain = [first, calledErased(second, patchRecord(second)), third];
    };
    for (const demanded of ['log', 'complete'] as const) {
      const asked = createClient({
        baseUrl: proxy.baseUrl,
        demand: { [demanded]: true },
        retries: 0,
        log: { logWaitMs: 0 },
      });
      expect((await errorOf(asked.kv.get(ofAlice))).message).toMatch(
        /No entry of the log says that its text was erased/,
      );
    }
  });

  it('a "no" because of an old revoke, with made-up erasures around it', async () => {
    const [first, revoke, again] = links;
    const glue = (signature: string, created_at: string) => ({
      ...calledErased(revoke, 'cd'.repeat(32)),
      uuid: crypto.randomUUID(),
      signature,
      created_at,
      erased: { at: 1, reason: 'order', record: 'cd'.repeat(32), identity_key: 'ab'.repeat(32) },
    });
    const chain = showsChain([
      glue(revoke.signature, again.created_at),
      again,
      glue(first.signature, again.created_at),
      revoke,
    ]);
    const no = { message: 'There is no such binding.', code: 'binding_not_found' };
    const asked = createClient({
      baseUrl: proxy.baseUrl,
      demand: { complete: true },
      retries: 0,
      log: { logWaitMs: 0 },
      fetch: async (input, init) =>
        String(input).includes('/v1/proof/exists?') ? Response.json(no, { status: 404 }) : fetch(input, init),
    });
    proxy.lie = (path, answer) => {
      chain(path, answer);
      if (path.startsWith('/v1/proof?')) answer.ids = [];
    };

    expect(await errorOf(asked.proofs.exists(binding))).toMatchObject({ code: 'record_not_found' });
    expect(await errorOf(client().proofs.find(binding).toArray())).toMatchObject({ code: 'record_not_found' });
  });

  it('an answer about somebody else, with and without bindings', async () => {
    for (const made of [links.filter(({ avatar }) => avatar === ofMallory), []]) {
      proxy.lie = (path, answer) => {
        if (path.startsWith('/v1/proof?')) answer.ids = [group(ofMallory, made)];
      };
      const words = `It shows ${ofMallory}, which holds nothing that was asked for.`;
      const search = { platform: 'ethereum', identity: none.address };
      expect((await errorOf(client().proofs.find(search).toArray())).message).toContain(words);
      expect((await errorOf(client().proofs.findMany([none.address], { platform: 'ethereum' }))).message).toContain(
        words,
      );
    }
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof?')) answer.ids.push(group(ofMallory, []));
    };
    expect((await errorOf(client().proofs.of(ofAlice))).message).toContain(
      `${ofMallory} is shown, which was not asked for.`,
    );
  });

  it('an Avatar, a binding or an erasure, where a program holds answers against the map itself', async () => {
    const checker = new LogChecker(new Transport({ baseUrl: running.baseUrl }), { logWaitMs: 0 });
    const linksOf = (avatar: string) => createClient({ baseUrl: running.baseUrl }).chain(avatar).toArray();
    const judge = async (made: Answer[]) => {
      const completion = await new CompleteReads({ linksOf }, checker).look('ethereum', [none.address], undefined);
      completion.add(group(ofMallory, made));
      return completion.end();
    };

    expect((await errorOf(judge([]))).message).toContain(
      `${ofMallory} is shown, which holds nothing that was asked for.`,
    );
    const invented = { platform: 'ethereum', identity: none.address, created_at: '1' };
    expect((await errorOf(judge([invented]))).message).toContain(`of ${ofMallory} is shown, and no link makes it.`);
    const chain = await new CompleteReads({ linksOf }, checker).links(ofAlice, undefined);
    const [first, revoke, ...others] = await linksOf(ofAlice);
    const called = calledErased(revoke, linkRecord({ ...links[1] }));
    for (const link of [first!, called, ...others]) chain.add(link);
    expect((await errorOf(chain.end())).message).toMatch(/No entry of the log says that its text was erased/);
  });

  it('a revoked binding beside the one that was asked for, with the revoke left out of the chain', async () => {
    const ownLinks = links.filter(({ avatar }) => avatar === ofAlice);
    const [, , again, second] = ownLinks;
    const chain = showsChain(ownLinks.slice(0, -1));
    proxy.lie = (path, answer) => {
      chain(path, answer);
      if (path.startsWith('/v1/proof?')) answer.ids = [group(ofAlice, [again, second])];
    };
    const words = `1 of 5 links of ${ofAlice} is missing, the newest among them.`;
    const search = { platform: 'ethereum', identity: one.address };

    expect((await errorOf(client().proofs.find(search).toArray())).message).toContain(words);
    expect((await errorOf(client().proofs.find(search).page(1))).message).toContain(words);
    expect((await errorOf(client().proofs.findMany([one.address], { platform: 'ethereum' }))).message).toContain(words);
    const looks = createLooks({ looker: { look: () => Promise.reject(new Error('Nobody looks.')) } });
    const looking = createClient({ baseUrl: proxy.baseUrl, demand: { complete: true }, retries: 0, looks });
    expect((await errorOf(looking.look({ ...binding, identity: two.address }))).message).toContain(words);
  });

  it('a binding that no link makes', async () => {
    const invented = { platform: 'ethereum', identity: none.address, created_at: '1' };
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof?')) answer.ids = [group(ofMallory, [invented])];
    };

    expect(
      (await errorOf(client().proofs.find({ platform: 'ethereum', identity: none.address }).toArray())).message,
    ).toMatch(/It shows a binding of 0x\w+ that its signed chain does not have/);
  });

  it('the log of another server that its policy accepts too', async () => {
    const { verifier_key } = (await running.get('/v1/log')).body;
    const other = writeVerifierKey(noteSigner('other.example/log', new Uint8Array(32).fill(7)).key);
    const policy = (ofOwn: string) =>
      `log ${verifier_key} ${ofOwn}\nlog ${other} https://other.example/log\nquorum none\n`;
    const asked = (text: string) => completeClient(running.baseUrl, { policy: text });

    expect(
      await asked(policy(`${running.baseUrl}/log`))
        .chain(ofAlice)
        .toArray(),
    ).toHaveLength(5);
    expect((await errorOf(asked(policy('')).chain(ofAlice).toArray())).message).toBe(
      `The policy has several logs: write ${running.baseUrl}/log behind the key of the one that is meant.`,
    );
    const stranger = policy('https://this.example/log').replace('https://other.example/log', `${running.baseUrl}/log/`);
    expect((await errorOf(asked(stranger).chain(ofAlice).toArray())).message).toMatch(/No key that is accepted for/);
  });

  it('the beginning of a list for all of it', async () => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) answer.proof_chain.length = 1;
    };

    expect((await errorOf(client().chain(ofAlice).toArray({ limit: 1 }))).message).toMatch(
      /4 of 5 links of .* are missing/,
    );
    proxy.lie = null;
    expect(await client().chain(ofAlice).toArray({ limit: 2 })).toHaveLength(2);
  });

  it('names in forms that only a server reads, and several keys at once', async () => {
    const name = 'https://github.com/alice';
    await expect(client().proofs.find({ platform: 'github', identity: name }).toArray()).rejects.toThrow(
      WrongUsageError,
    );
    await expect(client().proofs.exists({ ...binding, platform: 'github', identity: name })).rejects.toThrow(
      `What "${name}" on github is called there in full is not known here: ask for the name as the server shows it.`,
    );
    await expect(
      client()
        .proofs.find({ platform: 'ethereum', identity: [ofAlice, ofMallory] })
        .toArray(),
    ).rejects.toThrow(/one key at a time/);
    const found = await client().proofs.findMany([ofAlice, ofMallory], { platform: await client().serviceName() });
    expect(found.map(({ groups }) => groups.map(({ avatar }) => avatar))).toEqual([[ofAlice], [ofMallory]]);
  });

  it('a "no" about a platform or a key that nobody spells so, without asking for it', async () => {
    proxy.before = () => Promise.reject(new Error('Nothing is asked.'));
    const [first, rest] = [ofAlice.slice(0, 2), ofAlice.slice(2)];
    for (const platform of ['Ethereum', 'ethereum ', 'GitHub', 'x', 'myspace']) {
      const words = `The platform ${JSON.stringify(platform)} is not known here`;
      await expect(client().proofs.exists({ ...binding, platform })).rejects.toThrow(words);
      await expect(client().proofs.find({ platform, identity: 'alice' }).toArray()).rejects.toThrow(words);
    }
    for (const avatar of [`${first.toUpperCase()}${rest}`, `${ofAlice} `, ofAlice.slice(0, -1), '']) {
      const error = new WrongUsageError(`${JSON.stringify(avatar)} is not the public key of an Avatar.`);
      await expect(client().proofs.exists({ ...binding, avatar })).rejects.toThrow(error);
      await expect(client().proofs.of(avatar)).rejects.toThrow(error);
      await expect(client().chain(avatar).toArray()).rejects.toThrow(error);
      await expect(client().kv.get(avatar)).rejects.toThrow(error);
      await expect(client().kv.chain(avatar).toArray()).rejects.toThrow(error);
    }
    proxy.before = null;
    expect(await client().chain(alice.key.uncompressed).toArray()).toHaveLength(5);
  });

  it('and says of single answers by what they are complete', async () => {
    const told: Resting[] = [];
    const options: AnswerOptions = { onResting: (one) => told.push(one) };

    expect(await client().proofs.exists(binding, options)).toMatchObject({ is_valid: true });
    expect(await client().proofs.exists({ ...binding, identity: two.address }, options)).toBeNull();
    expect((await client().proofs.of(ofAlice, options))!.proofs).toHaveLength(1);
    expect((await client().kv.get(ofAlice, options))!.proofs).toHaveLength(1);
    expect(told).toHaveLength(4);
    const map = { origin: expect.any(String), newer: 0, cosignedAt: null };
    for (const one of told) expect(one).toMatchObject({ whole: 'map', map });
  });
});
