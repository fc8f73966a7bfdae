import { readVerifierKey, verifyMapAnswer, logOnlyPolicy } from '@signet/verify/log';
import { holderKey } from '@signet/verify/internal/map';
import { sha256 } from '../../src/crypto/hashing.js';
import { MAX_HOLDERS } from '../../src/transparency-log/published/log-map.dto.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { type BehindProxy, startBehindProxy } from '../support/behind-proxy.js';
import { linkWallet } from '../support/scenario.js';
import { completeClient, errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { avatarsNamed, seedHolders } from './seed-holders.js';

const wallet = aWallet('crowded');
const keyOf = ({ key }: TestAvatar) => key.compressed;
const question = { platform: 'ethereum', identity: wallet.address };

let running: RunningApp;
let proxy: LyingProxy;
let records = 0;

const client = () => completeClient(proxy.baseUrl);

describe('an identity whose holders come and go', () => {
  const [alice, bob, carol, dave] = avatarsNamed('holder', 4) as [TestAvatar, TestAvatar, TestAvatar, TestAvatar];
  const bind = async (avatar: TestAvatar, action: 'create' | 'delete' = 'create') => {
    await linkWallet(running, avatar, wallet, { action });
    records += 1;
    await headOfRecords(running, records);
  };
  beforeEach(async () => {
    running = await startApp();
    proxy = await startLyingProxy(running.baseUrl);
    records = 0;
    for (const avatar of [alice, bob, carol]) await bind(avatar);
    await bind(carol, 'delete');
  });
  afterEach(async () => {
    await proxy.close();
    await running.close();
  });
  const look = async () => {
    const found = client().proofs.find(question);
    const avatars = (await found.toArray()).map(({ avatar }) => avatar);
    return { avatars: avatars.sort(), newer: found.resting!.map!.newer };
  };
  const hideBob = (path: string, answer: { ids: { avatar: string }[] }): void => {
    if (path.startsWith('/v1/proof?')) answer.ids = answer.ids.filter(({ avatar }) => avatar !== keyOf(bob));
  };
  /** Lets something happen once the map was asked for all holders, before the look-up. */
  const meanwhile = (happens: () => Promise<void>): void => {
    let waiting: Promise<void> | undefined;
    proxy.before = async (path) => {
      if (path.startsWith('/v1/proof?')) await (waiting ??= happens());
    };
  };

  it('is complete with all of them, and not with one who came in the place of another', async () => {
    expect(await look()).toEqual({ avatars: [alice, bob].map(keyOf).sort(), newer: 0 });

    proxy.lie = hideBob;
    meanwhile(() => bind(dave));

    expect((await errorOf(look())).message).toMatch(
      new RegExp(
        `of ${keyOf(bob)} is left out, which entry \\d+ made\\. It was read 3 times, each time by a new map\\.$`,
      ),
    );
  });

  it('is complete with Avatars who come and go while it is read', async () => {
    meanwhile(async () => {
      await bind(dave);
      // Revoked and made anew: a holder before and after.
      await bind(alice, 'delete');
      await bind(alice);
    });

    expect(await look()).toEqual({ avatars: [alice, bob, dave].map(keyOf).sort(), newer: 2 });
  });

  it('is complete without an Avatar who revokes before the look-up', async () => {
    meanwhile(() => bind(alice, 'delete'));

    expect(await look()).toEqual({ avatars: [keyOf(bob)], newer: 0 });
  });
});

describe('an identity that more Avatars hold than an answer of the map names', () => {
  /** One more than the most. */
  const crowd = avatarsNamed('crowd', MAX_HOLDERS + 1);
  const first = crowd[0]!;
  const last = crowd.at(-1)!;
  let server: BehindProxy;
  beforeAll(async () => {
    server = await startBehindProxy((databaseUrl) => seedHolders(databaseUrl, crowd, wallet));
    ({ running, proxy } = server);
    records = crowd.length;
    await headOfRecords(running, records);
  });
  afterAll(() => server?.close());

  it('has a number in the map and no names; each holder is proved, and that another is none', async () => {
    const query = `platform=ethereum&identity=${wallet.address}`;
    const { verifier_key: key } = (await running.get('/v1/log')).body;
    const policy = logOnlyPolicy(readVerifierKey(key)!);
    const { body } = await running.get(`/v1/log/map?${query}`);
    const proveOne = async (avatar: string) => {
      const { body: answer } = await running.get(`/v1/log/map?${query}&avatar=${avatar}`);
      return verifyMapAnswer(answer, { ...question, avatar }, { policy });
    };

    expect(body.holders).toBeNull();
    expect(verifyMapAnswer(body, question, { policy })).toMatchObject({
      ok: true,
      holders: null,
      value: { holders: crowd.length },
    });
    expect(await proveOne(keyOf(first))).toMatchObject({ ok: true, holder: { link: 0 } });
    expect(await proveOne(keyOf(last))).toMatchObject({ ok: true, holder: { link: expect.any(Number) } });
    expect(await proveOne(keyOf(anAvatar('nobody')))).toMatchObject({ ok: true, holder: null });
    const name = { ...question, avatar: keyOf(anAvatar('nobody')) };
    expect(await client().proofs.exists(name)).toBeNull();
    expect(await client().proofs.exists({ ...question, avatar: keyOf(last) })).toMatchObject({ is_valid: true });
  });

  it('has the names of all in the order of their keys once one has let it go', async () => {
    await linkWallet(running, last, wallet, { action: 'delete' });
    await headOfRecords(running, records + 1);
    const { body } = await running.get(`/v1/log/map?platform=ethereum&identity=${wallet.address}`);

    const inOrder = crowd.slice(0, -1).sort((one, other) => {
      return Buffer.compare(holderKey(keyOf(one), sha256), holderKey(keyOf(other), sha256));
    });
    expect(body.holders.map(({ avatar }: { avatar: string }) => avatar)).toEqual(inOrder.map(keyOf));
  });
});
