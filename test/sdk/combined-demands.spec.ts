import { createClient, type Demands, type ProofRecord, type Resting } from '@signet/sdk';
import { createLooks } from '@signet/sdk/look';
import { type ObserverInTest, startThreeObservers } from '../observer/observer-world.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';

const GIST = '2'.repeat(32);

describe('a client that makes several demands at once', () => {
  const alice = anAvatar('alice');
  const avatar = alice.key.compressed;
  const wallet = aWallet('alice');
  const revoked = aWallet('two');
  const name = { platform: 'github', identity: 'alice-demo', avatar };
  let world: GistWorld;
  let observers: ObserverInTest[];
  let proxy: LyingProxy;
  let down: StandIn;
  let lines: string[];

  beforeAll(async () => {
    world = await startGistWorld();
    await linkWallet(world.app, alice, wallet);
    await linkWallet(world.app, alice, revoked);
    await world.bind(alice, GIST, 'alice-demo');
    await linkWallet(world.app, alice, revoked, { action: 'delete' });
    observers = await startThreeObservers(world, avatar);
    const lineOf = async (one: ObserverInTest, n: number) =>
      `observer eye${n} ${await one.verifierKey()} ${one.app.baseUrl}/`;
    lines = await Promise.all(observers.map(lineOf));
    proxy = await startLyingProxy(world.app.baseUrl);
    down = await startStandIn(() => 'cut');
  });
  afterEach(() => {
    proxy.lie = null;
  });
  afterAll(async () => {
    await Promise.all([...observers, proxy, down].map((one) => one.close()));
    await world.close();
  });

  /** A client that demands everything, and asks these observers and this GitHub. */
  const client = ({ list = lines, github = world.github, demand = {} as Demands } = {}) =>
    createClient({
      baseUrl: proxy.baseUrl,
      retries: 0,
      log: { logWaitMs: 0 },
      looks: createLooks({ github: { apiBase: github.baseUrl } }),
      observers: { observers: list.join('\n') },
      demand: { complete: true, posts: true, observers: true, here: true, ...demand },
    });
  const stateOf = ({ platform, resting }: ProofRecord) => {
    const { key, record, whole, identity, map, look, observers: others } = resting;
    return [platform, key, record, whole, identity, map?.newer, look?.state, others?.count];
  };
  const expected = [
    ['ethereum', 'signature', 'log', 'map', 'wallet', 0, 'seen', undefined],
    ['github', 'signature', 'log', 'map', 'seen by me', 0, 'seen', 3],
  ];
  /** Each way of asking for the binding of the account. */
  const calls = (one = client()) => ({
    find: () => one.proofs.find({ platform: 'github', identity: 'alice-demo' }).toArray(),
    of: () => one.proofs.of(avatar),
    findMany: () => one.proofs.findMany(['alice-demo'], { platform: 'github' }),
    exists: () => one.proofs.exists(name),
  });
  const refusals = async (one = client()) =>
    Promise.all(Object.values(calls(one)).map(async (call) => (await errorOf(call())).code));

  it('says of each binding on what every part of it rests, in every look-up', async () => {
    const told: Resting[] = [];
    const { proofs } = client();
    const list = proofs.find({ platform: 'github', identity: 'alice-demo' });

    expect((await list.toArray())[0]!.proofs.map(stateOf).sort()).toEqual(expected);
    expect(list.resting).toMatchObject({ key: 'signature', record: 'log', whole: 'map', map: { newer: 0 } });
    expect((await proofs.of(avatar, { onResting: (one) => told.push(one) }))!.proofs.map(stateOf).sort()).toEqual(
      expected,
    );
    expect(stateOf({ ...name, ...(await proofs.exists(name))! } as ProofRecord)).toEqual(expected[1]);
    expect(
      await proofs.exists(
        { ...name, platform: 'ethereum', identity: revoked.address },
        { onResting: (one) => told.push(one) },
      ),
    ).toBeNull();
    expect(told).toMatchObject([
      { key: 'signature', whole: 'map' },
      { key: 'server', record: 'server', whole: 'map', map: { newer: 0 } },
    ]);
  });

  it('asks for each of them alone, and for two of them, with nothing of the others', async () => {
    const restOf = async (demand: Demands) => {
      const only = { complete: false, posts: false, observers: false, here: false, ...demand };
      const { resting } = (await client({ demand: only }).proofs.exists(name))!;
      return [resting.record, resting.whole, resting.identity, resting.look?.state];
    };

    expect(await restOf({})).toEqual(['server', 'server', 'server', undefined]);
    expect(await restOf({ log: true })).toEqual(['log', 'server', 'server', undefined]);
    expect(await restOf({ complete: true })).toEqual(['log', 'map', 'server', undefined]);
    expect(await restOf({ observers: true })).toEqual(['server', 'server', 'seen by 3 of 3', undefined]);
    expect(await restOf({ complete: true, posts: true })).toEqual(['log', 'map', 'seen by me', 'seen']);
    expect(await restOf({ log: true, observers: true })).toEqual(['log', 'server', 'seen by 3 of 3', undefined]);
  });

  it('refuses a hidden revoke, whatever was seen of the post', async () => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) answer.proof_chain.pop();
    };

    const { exists, ...others } = calls();
    for (const call of Object.values(others)) expect((await errorOf(call())).code).toBe('incomplete');
    // The map says of one binding what it is, which the hidden link does not change.
    expect(await exists()).toMatchObject({ is_valid: true });
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof?')) answer.ids = [];
    };
    expect((await errorOf(calls().find())).code).toBe('incomplete');
  });

  it('refuses a post that is gone, although the log, the map and three observers have it', async () => {
    const gist = world.gists.get(GIST)!;
    world.gists.delete(GIST);
    try {
      expect(await refusals()).toEqual(Array(4).fill('not_seen'));
      expect(await refusals(client({ demand: { complete: false, here: false } }))).toEqual(Array(4).fill('not_seen'));
    } finally {
      world.gists.set(GIST, gist);
    }
  });

  it('refuses what too few observers saw, although it saw the post itself', async () => {
    const away = lines.map((line, n) => (n === 0 ? line : line.replace(observers[n]!.app.baseUrl, down.baseUrl)));

    expect(await refusals(client({ list: away }))).toEqual(Array(4).fill('no_quorum'));
  });

  it('refuses what it could not look at only where all has to be seen here', async () => {
    const github = await startStandIn(() => ({ status: 503, text: 'busy' }));
    const state = await client({ github, demand: { here: false } }).proofs.exists(name);

    expect(state!.resting).toMatchObject({ identity: 'seen by 3 of 3', look: { state: 'could_not_look' } });
    expect(await refusals(client({ github }))).toEqual(Array(4).fill('not_shown_here'));
    await github.close();
  });

  it('refuses a signature of another before anybody else is asked', async () => {
    const asked = world.github.requests.length;
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) answer.proof_chain[0].signature = answer.proof_chain[1].signature;
    };

    expect(await refusals(client({ demand: { complete: false } }))).toEqual(Array(4).fill('verification_failed'));
    expect(world.github.requests).toHaveLength(asked);
  });

  it('refuses a record that the log does not have, seen or not', async () => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) for (const link of answer.proof_chain) link.extra = { forged: true };
    };

    for (const code of await refusals()) expect(code).not.toBeNull();
    expect(await refusals(client({ demand: { complete: false, log: true } }))).toEqual(
      Array(4).fill('verification_failed'),
    );
  });

  it('takes a binding that the server calls invalid and that it does not see either, and no other word of the server', async () => {
    const gist = world.gists.get(GIST)!;
    world.gists.delete(GIST);
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof/exists')) answer.is_valid = false;
    };
    try {
      const state = await client().proofs.exists(name);
      expect(state).toMatchObject({
        is_valid: false,
        resting: { identity: 'seen by 3 of 3', look: { state: 'not_seen' } },
      });
      expect((await errorOf(client({ demand: { posts: false, observers: false } }).proofs.exists(name))).code).toBe(
        'not_shown_here',
      );
    } finally {
      world.gists.set(GIST, gist);
    }
  });
});
