import { createClient, fromPrivateKey, MemoryHeadStore, type ProofSearch, WrongUsageError } from '@signet/sdk';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { type RunningApp, startApp } from '../support/app.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';

/** What a server leaves out, or shows of before, is noticed with the map over its log (docs/completeness.md). */
describe('a client with demand: { complete: true }', () => {
  const [alice, bob, carol, nobody] = ['alice', 'bob', 'carol', 'nobody'].map(anAvatar) as [
    ReturnType<typeof anAvatar>,
    ReturnType<typeof anAvatar>,
    ReturnType<typeof anAvatar>,
    ReturnType<typeof anAvatar>,
  ];
  const [one, two] = [aWallet('one'), aWallet('two')];
  const [ofAlice, ofBob, ofCarol] = [alice, bob, carol].map(({ key }) => key.compressed) as [string, string, string];
  let running: RunningApp;
  let proxy: LyingProxy;
  let records = 0;
  beforeAll(async () => {
    running = await startApp();
    proxy = await startLyingProxy(running.baseUrl);
    for (const avatar of [alice, bob, carol]) await linkWallet(running, avatar, one);
    await linkWallet(running, alice, two);
    await linkWallet(running, carol, one, { action: 'delete' });
    for (const name of ['Alice', 'Alice L.']) await setName(name);
    records = 7;
    await headOfRecords(running, records);
  });
  afterEach(() => {
    proxy.lie = null;
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
  });

  const client = (heads = new MemoryHeadStore(), logWaitMs = 0) =>
    createClient({ baseUrl: proxy.baseUrl, demand: { complete: true }, retries: 0, log: { heads, logWaitMs } });
  const setName = (name: string) =>
    createClient({ baseUrl: running.baseUrl }).kv.patch({
      platform: 'ethereum',
      identity: two.address,
      patch: { name },
      signer: fromPrivateKey(alice.privateKey),
    });
  const mapOf = async (query: string) => (await running.get(`/v1/log/map?${query}`)).body;
  const look = (identity: string) => client().proofs.find({ platform: 'ethereum', identity });
  const binding = (avatar: string, identity: string) => ({ platform: 'ethereum', identity, avatar });

  it('returns what an honest server answers, a proved "no" among it', async () => {
    const chain = client().chain(ofAlice);
    const found = look(one.address);

    expect(await chain.toArray()).toHaveLength(2);
    expect(chain.resting!.map).toMatchObject({ newer: 0, cosignedAt: null });
    expect(chain.resting!.map!.size).toBeGreaterThanOrEqual(records);
    expect((await found.toArray()).map(({ avatar }) => avatar).sort()).toEqual([ofAlice, ofBob].sort());
    expect(found.resting!.map).toMatchObject({ newer: 0 });
    expect((await client().proofs.of(ofAlice))!.proofs).toHaveLength(2);
    expect(await client().proofs.exists(binding(ofAlice, two.address))).toMatchObject({ is_valid: true });
    expect((await client().kv.get(ofAlice))!.proofs).toMatchObject([{ content: { name: 'Alice L.' } }]);
    expect(await client().kv.chain(ofAlice).toArray()).toHaveLength(2);

    const none = client().chain(nobody.key.compressed);
    expect(await none.toArray()).toEqual([]);
    expect(none.resting!.map).toMatchObject({ newer: 0 });
    expect(await look(aWallet('three').address).toArray()).toEqual([]);
    expect(await client().proofs.of(nobody.key.compressed)).toBeNull();
    expect(await client().proofs.exists(binding(ofCarol, one.address))).toBeNull();
    expect(await client().kv.get(ofBob)).toBeNull();
  });

  it('cannot check searches for parts of names, and look-ups on all platforms', async () => {
    const find = (search: ProofSearch) => errorOf(client().proofs.find(search).toArray());

    expect(await find({ platform: 'ethereum', identity: 'ab', exact: false })).toBeInstanceOf(WrongUsageError);
    expect(await find({ identity: one.address })).toMatchObject({
      code: 'wrong_usage',
      message: 'demand.complete needs the platform.',
    });
  });

  it('refuses a chain, bindings and a look-up from which the newest revoke is hidden', async () => {
    const bound = { is_valid: true, invalid_reason: '', last_checked_at: '1', created_at: '' };
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?') && path.includes(ofCarol)) {
        answer.proof_chain.length = 1;
        answer.pagination.total = 1;
        bound.created_at = answer.proof_chain[0].created_at;
      }
      if (path.startsWith('/v1/proof/exists?')) {
        for (const name of Object.keys(answer)) delete answer[name];
        Object.assign(answer, bound);
      }
    };

    expect(await errorOf(client().chain(ofCarol).toArray())).toMatchObject({
      code: 'incomplete',
      message: expect.stringContaining(`1 of 2 links of ${ofCarol} is missing, the newest among them.`),
    });
    expect((await errorOf(client().proofs.of(ofCarol))).message).toMatch(/1 of 2 links of .* is missing/);
    proxy.lie = null;
    const chain = (await running.get(`/v1/proofchain?public_key=${ofCarol}`)).body.proof_chain;
    const proof = { ...bound, platform: 'ethereum', identity: one.address, created_at: chain[0].created_at };
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?') && path.includes(ofCarol)) answer.proof_chain.length = 1;
      if (!path.startsWith('/v1/proof?')) return;
      answer.ids.push({ ...answer.ids[0], avatar: ofCarol, proofs: [proof] });
    };
    expect((await errorOf(look(one.address).toArray())).message).toMatch(/1 of 2 links of .* is missing/);
  });

  it('refuses an Avatar without links, a hidden binding and a hidden holder', async () => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) Object.assign(answer, { proof_chain: [] });
      if (path.startsWith('/v1/proof?'))
        answer.ids = answer.ids.filter(({ avatar }: { avatar: string }) => avatar !== ofBob);
      if (path.startsWith('/v1/kv/chain?')) answer.kv_chain = [];
      if (path.startsWith('/v1/kv?')) answer.proofs = [];
    };

    expect((await errorOf(client().chain(ofAlice).toArray())).message).toContain(
      `2 of 2 links of ${ofAlice} are missing, the newest among them.`,
    );
    expect((await errorOf(look(one.address).toArray())).message).toBeTruthy();
    expect((await errorOf(client().kv.get(ofAlice))).message).toContain(
      `2 of 2 patches of ${ofAlice} are missing, the newest among them.`,
    );
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof?'))
        answer.ids = answer.ids.filter(({ avatar }: { avatar: string }) => avatar !== ofBob);
    };
    expect(await errorOf(look(one.address).toArray())).toMatchObject({
      code: 'incomplete',
      message: expect.stringMatching(
        new RegExp(`The binding ethereum "${one.address}" of ${ofBob} is left out, which entry \\d+ made.`),
      ),
    });
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof?')) answer.ids[0].proofs.pop();
    };
    expect((await errorOf(client().proofs.of(ofAlice))).message).toMatch(
      /The binding ethereum "0x\w+" of 0x\w+ is left out/,
    );
  });

  it('refuses a "no" that is not so', async () => {
    const none = { message: 'Not found.', code: 'binding_not_found' };
    const lied = createClient({
      baseUrl: running.baseUrl,
      demand: { complete: true },
      fetch: async (input, init) =>
        String(input).includes('/v1/proof/exists?') ? Response.json(none, { status: 404 }) : fetch(input, init),
    });

    expect((await errorOf(lied.proofs.exists(binding(ofBob, one.address)))).message).toMatch(
      /The binding ethereum "0x\w+" of 0x\w+ is left out, which entry \d+ made/,
    );
  });

  it('says of a server that keeps no map that nothing can show whether an answer is complete', async () => {
    const old = createClient({
      baseUrl: running.baseUrl,
      demand: { complete: true },
      retries: 0,
      fetch: async (input, init) =>
        String(input).includes('/v1/log/map?')
          ? Response.json({ message: 'Cannot GET /v1/log/map', code: 'not_found' }, { status: 404 })
          : fetch(input, init),
    });

    expect(await errorOf(old.chain(ofAlice).toArray())).toMatchObject({
      name: 'NoMapError',
      code: 'no_map',
      message: `${running.baseUrl} keeps no map over its log: whether an answer is complete cannot be shown.`,
    });
  });

  it('refuses answers of the map to other questions, and what is not in it', async () => {
    const [map, other, held] = await Promise.all([
      mapOf(`avatar=${ofAlice}`),
      mapOf(`avatar=${ofBob}`),
      mapOf(`platform=ethereum&identity=${one.address}`),
    ]);
    const lies: [object, RegExp][] = [
      [other, /has the key of something else/],
      [{ ...other, key: map.key }, /does not lead from what was asked/],
      [{ ...map, value: { ...map.value, links: 1 } }, /Its value is not the one/],
      [{ ...map, value: null, proof: other.proof }, /does not lead from what was asked/],
      [{ ...map, value: null }, /says that the map has nothing there/],
    ];
    for (const [lie, words] of lies) {
      proxy.lie = (path, answer) => void (path.startsWith('/v1/log/map?') && Object.assign(answer, lie));
      expect((await errorOf(client().chain(ofAlice).toArray())).message).toMatch(words);
    }
    const fewer = { ...held, holders: held.holders.slice(1) };
    proxy.lie = (path, answer) => void (path.startsWith('/v1/log/map?') && Object.assign(answer, fewer));
    expect((await errorOf(look(one.address).toArray())).message).toMatch(
      /names 1 Avatars, and the map says that 2 hold it/,
    );
  });

  it('refuses an old map with a new log, once it has seen the new one, and takes newer links on top', async () => {
    const old = await mapOf(`avatar=${ofBob}`);
    await linkWallet(running, bob, two);
    records += 1;
    await headOfRecords(running, records);
    proxy.lie = (path, answer) => void (path.startsWith('/v1/log/map?') && Object.assign(answer, old));
    const heads = new MemoryHeadStore();

    const chain = client(heads).chain(ofBob);
    expect(await chain.toArray()).toHaveLength(2);
    expect(chain.resting!.map).toMatchObject({ newer: 1 });
    // The proof of the newer link has shown the newer log.
    expect((await errorOf(client(heads).chain(ofBob).toArray())).message).toMatch(
      /It is that of \d+ entries, and the log had \d+ before/,
    );
  });
});
