import { createClient, type Demands, type ProofRecord, VerificationError, WrongUsageError } from '@signet/sdk';
import { createLooks, type LooksOptions } from '@signet/sdk/look';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';
import { type StandIn, type StandInReply, startStandIn } from '../../packages/look/test/support/stand-in-server.js';

const GIST = '0123456789abcdef0123456789abcdef';

describe('a client that looks at posts by itself', () => {
  const alice = anAvatar('alice');
  const avatar = alice.key.compressed;
  const name = { platform: 'github', identity: 'alice-demo', avatar };
  let world: GistWorld;
  let proxy: LyingProxy;
  beforeAll(async () => {
    world = await startGistWorld();
    proxy = await startLyingProxy(world.app.baseUrl);
    await linkWallet(world.app, alice, aWallet('one'));
    await world.bind(alice, GIST, 'alice-demo');
  });
  afterAll(async () => {
    await proxy?.close();
    await world?.close();
  });
  const opened: StandIn[] = [];
  afterEach(async () => {
    proxy.lie = null;
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  /** A platform that answers every request so. */
  const platformThat = async (reply: StandInReply): Promise<StandIn> => {
    const platform = await startStandIn(() => reply);
    opened.push(platform);
    return platform;
  };

  /** A client of the server, which asks `github` by itself. */
  const client = (
    options: LooksOptions = {},
    github: StandIn = world.github,
    baseUrl = world.app.baseUrl,
    demand: Demands = {},
  ) => {
    const looks = createLooks({ github: { apiBase: github.baseUrl }, ...options });
    return createClient({ baseUrl, demand: { posts: true, ...demand }, looks });
  };
  /** Shows the gist otherwise, or not at all, while `work` runs; the server goes on to say that it is valid. */
  async function whileShowing<Result>(change: object | null, work: () => Promise<Result>): Promise<Result> {
    const whole = world.gists.get(GIST)!;
    if (change) world.gists.set(GIST, { ...whole, ...change });
    else world.gists.delete(GIST);
    try {
      expect((await world.app.get(`/v1/proof?identity=alice-demo`)).body.ids[0].proofs).toContainEqual(
        expect.objectContaining({ identity: 'alice-demo', is_valid: true }),
      );
      return await work();
    } finally {
      world.gists.set(GIST, whole);
    }
  }

  it('sees what is there, and says that it looked itself', async () => {
    const look = await client().look(name);

    expect(look).toMatchObject({
      ...{ ...name, state: 'seen', by: 'you', reason: '', problem: null, accountId: '7', isSameSignature: true },
      evidence: { url: `https://gist.github.com/${GIST}`, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(Math.abs(look.at - Date.now() / 1000)).toBeLessThan(60);
  });

  it('puts what it saw beside what the server says, of posts and wallets', async () => {
    const { proofs } = (await client().proofs.of(avatar))!;
    const exists = await client().proofs.exists(name);

    const stateOf = ({ platform, resting: { identity, look } }: ProofRecord) => [platform, identity, look?.state];
    expect(proofs.map(stateOf).sort()).toEqual([
      ['ethereum', 'wallet', 'seen'],
      ['github', 'seen by me', 'seen'],
    ]);
    expect(exists!.resting.look).toMatchObject({ state: 'seen' });
  });

  it.each<[string, object | null, RegExp]>([
    ['is gone', null, /no such gist/],
    ['belongs to another account', { login: 'mallory' }, /belongs to "mallory"/],
    ['belongs to another account of the same name', { accountId: 8 }, /another account now/],
    ['holds another text', { content: '{}' }, /signature/],
  ])('refuses a binding that the server says is valid, where the post %s', async (_how, change, reason) => {
    await whileShowing(change, async () => {
      expect(await client().look(name)).toMatchObject({ state: 'not_seen', reason: expect.stringMatching(reason) });
      for (const call of [
        () => client().proofs.find({ identity: 'alice-demo' }).toArray(),
        () => client().proofs.of(avatar),
        () => client().proofs.exists(name),
        () => client().proofs.findMany(['alice-demo']),
      ]) {
        const error = await errorOf<VerificationError>(call());
        expect(error).toBeInstanceOf(VerificationError);
        expect(error).toMatchObject({ code: 'not_seen', message: expect.stringContaining('github "alice-demo"') });
        expect(error.steps).toMatchObject([{ name: 'post', state: 'failed', detail: expect.stringMatching(reason) }]);
      }
    });
  });

  it('refuses a post that never existed, where the platform that the server asked was none', async () => {
    const honest = await platformThat({ status: 404, json: { message: 'Not Found' } });

    expect(await client({}, honest).look(name)).toMatchObject({ state: 'not_seen' });
    expect(await errorOf<VerificationError>(client({}, honest).proofs.exists(name))).toMatchObject({
      code: 'not_seen',
    });
  });

  it('says of a platform that does not answer that it could not look, and refuses that only where it is told to', async () => {
    const down = await platformThat({ status: 503, text: 'busy' });
    const strict = client({}, down, world.app.baseUrl, { here: true });

    expect(await client({}, down).look(name)).toMatchObject({ state: 'could_not_look', problem: 'unusable' });
    expect((await client({}, down).proofs.exists(name))!.resting).toMatchObject({
      identity: 'server',
      look: { state: 'could_not_look' },
    });
    const error = await errorOf<VerificationError>(strict.proofs.exists(name));
    expect(error).toMatchObject({ code: 'not_shown_here', message: expect.stringContaining('github "alice-demo"') });
  });

  it('does not ask a platform again that wants to wait', async () => {
    const limited = await platformThat({ status: 429, json: {}, headers: { 'retry-after': '60' } });
    const waiting = client({}, limited);

    expect(await waiting.look(name)).toMatchObject({ problem: 'limit', retryAfterSeconds: 60 });
    expect(await waiting.look(name)).toMatchObject({ problem: 'limit' });
    expect(limited.requests).toHaveLength(1);
  });

  it('looks only at what it is told to', async () => {
    const asked: string[] = [];
    const which = ({ platform }: { platform: string }) => asked.push(platform) > 0 && platform !== 'github';
    await whileShowing(null, async () => {
      const { proofs } = (await client({ which }).proofs.of(avatar))!;

      expect(proofs.find(({ platform }) => platform === 'github')!.resting).toMatchObject({
        identity: 'server',
        look: null,
      });
    });
    expect(asked.sort()).toEqual(['ethereum', 'github']);
  });

  it('believes nothing that the server writes into the place of a look', async () => {
    proxy.lie = (path, answer) => {
      const resting = { key: 'signature', identity: 'seen by me', look: { state: 'seen', by: 'you' } };
      if (path.startsWith('/v1/proof?'))
        for (const group of answer.ids) for (const one of group.proofs) one.resting = resting;
      if (path.startsWith('/v1/proof/exists')) answer.resting = resting;
    };
    const plain = createClient({ baseUrl: proxy.baseUrl });

    const restings = (await plain.proofs.of(avatar))!.proofs.map(({ resting }) => [resting.identity, resting.look]);
    expect(restings.sort()).toEqual([
      ['server', null],
      ['wallet', null],
    ]);
    expect((await plain.proofs.exists(name))!.resting).toMatchObject({ identity: 'server', look: null });
  });

  it('checks the signature first, and asks no platform about a link that is none', async () => {
    const before = world.github.requests.length;
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) for (const link of answer.proof_chain) link.identity = 'mallory';
    };
    const lied = client({}, world.github, proxy.baseUrl);

    await expect(lied.look({ ...name, identity: 'mallory' })).rejects.toThrow(VerificationError);
    await expect(lied.look({ ...name, identity: 'nobody' })).rejects.toThrow(VerificationError);
    await expect(client().look({ ...name, identity: 'nobody' })).rejects.toThrow('No signed link binds "nobody"');
    expect(world.github.requests.length).toBe(before);
  });

  it('stops when it is told to, and says what it lacks', async () => {
    await expect(client().look(name, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    const { baseUrl } = world.app;
    expect(() => createClient({ baseUrl, demand: { posts: true } })).toThrow(WrongUsageError);
    await expect(createClient({ baseUrl }).look(name)).rejects.toThrow(WrongUsageError);
  });
});
