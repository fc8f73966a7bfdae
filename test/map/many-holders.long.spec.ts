import { jest } from '@jest/globals';
import { LogChecker } from '@signet/sdk/log';
import { readVerifierKey, verifyMapAnswer, logOnlyPolicy } from '@signet/verify/log';
import { holderKey } from '@signet/verify/map';
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
const TIMEOUT_MS = 120_000;
const question = { platform: 'ethereum', identity: wallet.address };

let running: RunningApp;
let proxy: LyingProxy;
let records = 0;

const client = () => completeClient(proxy.baseUrl);
const hide = (...hidden: TestAvatar[]) => {
  const keys = hidden.map(keyOf);
  return (path: string, answer: { ids: { avatar: string }[] }) => {
    if (path.startsWith('/v1/proof?')) answer.ids = answer.ids.filter(({ avatar }) => !keys.includes(avatar));
  };
};
/** Has clients take every identity for one with very many holders, whom the map does not name. */
function nameNone(): void {
  const map = Object.getOwnPropertyDescriptor(LogChecker.prototype, 'map')!.value as LogChecker['map'];
  jest.spyOn(LogChecker.prototype, 'map').mockImplementation(async function (this: LogChecker, ...asked) {
    return { ...(await map.apply(this, asked)), holders: null };
  });
}

describe('an identity whose holders an answer of the map does not name', () => {
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
    nameNone();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await proxy.close();
    await running.close();
  });
  const look = async () => {
    const found = client().proofs.find(question);
    const avatars = (await found.toArray()).map(({ avatar }) => avatar);
    return { avatars: avatars.sort(), newer: found.complete!.newer };
  };
  /** Lets something happen once the map was asked for all holders, before it is asked for one, or the look-up. */
  const meanwhile = (happens: () => Promise<void>, what = /^\/v1\/proof\?/): void => {
    let waiting: Promise<void> | undefined;
    proxy.before = async (path) => {
      if (what.test(path)) await (waiting ??= happens());
    };
  };

  it('is complete where each Avatar that is shown is proved, and they are as many as the map has', async () => {
    expect(await look()).toEqual({ avatars: [alice, bob].map(keyOf).sort(), newer: 0 });
    proxy.lie = hide(bob);
    expect(await errorOf(look())).toMatchObject({
      code: 'incomplete',
      message: expect.stringMatching(/1 of 2 Avatars is left out, or revoked while this was read\./),
    });
  });

  it('is not complete by an Avatar who came after the map was asked', async () => {
    proxy.lie = hide(bob);
    meanwhile(() => bind(dave));

    expect((await errorOf(look())).message).toMatch(
      /1 of 3 Avatars is left out, or revoked while this was read\. It was read 3 times, each time by a new map\.$/,
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

  it('is complete with an Avatar who revokes behind the look-up, or before it, when it is read again', async () => {
    meanwhile(() => bind(bob, 'delete'), /^\/v1\/log\/map\?.*&avatar=/);
    expect(await look()).toEqual({ avatars: [alice, bob].map(keyOf).sort(), newer: 0 });

    meanwhile(() => bind(alice, 'delete'));
    expect(await look()).toEqual({ avatars: [], newer: 0 });
  });

  it('is refused where each reading is overtaken, and at once where what was read is given away', async () => {
    const crowd = avatarsNamed('come and go', 3);
    for (const avatar of crowd) await bind(avatar);
    const leave = async (path: string) => {
      if (/^\/v1\/proof\?/.test(path) && crowd.length > 0) await bind(crowd.pop()!, 'delete');
    };
    proxy.before = leave;
    expect((await errorOf(look())).message).toMatch(
      /1 of 3 Avatars is left out, or revoked while this was read\. It was read 3 times, each time by a new map\.$/,
    );

    meanwhile(() => bind(bob, 'delete'));
    const readOne = async () => {
      for await (const { avatar } of client().proofs.find(question)) expect(avatar).toBe(keyOf(alice));
    };
    expect((await errorOf(readOne())).message).toMatch(/1 of 2 Avatars is left out, or revoked while this was read\.$/);
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
  }, TIMEOUT_MS);
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
