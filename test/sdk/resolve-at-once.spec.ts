import { createClient, LogForkError, MemoryHeadStore, type Person } from '@signet/sdk';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';
import { headOfRecords } from '../transparency-log/log-client.js';

const LATENCY_MS = 100;

describe('a person in one round trip', () => {
  const alice = anAvatar('alice');
  const key = alice.key.compressed;
  let world: GistWorld;
  let proxy: LyingProxy;
  const asked: string[] = [];

  beforeAll(async () => {
    world = await startGistWorld();
    await linkWallet(world.app, alice, aWallet('alice'));
    await world.bind(alice, '3'.repeat(32), 'alice-demo');
    const writer = createClient({ baseUrl: world.app.baseUrl });
    await writer.kv.patch({
      ...{ platform: await writer.serviceName(), identity: key },
      ...{ patch: { profile: { name: 'Alice' } }, signer: alice.privateKey },
    });
    await headOfRecords(world.app, 3);
    proxy = await startLyingProxy(world.app.baseUrl);
    proxy.before = async (path) => void asked.push(path.split('?')[0]!);
  });
  beforeEach(() => {
    [asked.length, proxy.answer, proxy.lie, proxy.delayMs] = [0, null, null, 0];
  });
  afterAll(async () => {
    await proxy?.close();
    await world?.close();
  });

  const client = (demand = {}) => createClient({ baseUrl: proxy.baseUrl, retries: 0, demand });
  let tried = 0;
  /** A client of a server that does not know the path yet. */
  const onOldServer = (demand: object) =>
    createClient({
      ...{ baseUrl: proxy.baseUrl, retries: 0, demand },
      fetch: async (input, init) => {
        if (!String(input).includes('/v1/resolve')) return fetch(input, init);
        tried += 1;
        return Response.json({ message: 'There is no such path.', code: 'not_found' }, { status: 404 });
      },
    });
  /** The person, how many requests were sent, and how long they took. */
  const measured = async (ofClient = client(), who = 'github:alice-demo') => {
    asked.length = 0;
    const startedAt = performance.now();
    const person = await ofClient.resolve(who);
    return { person, requests: asked.length, ms: performance.now() - startedAt };
  };
  /** What does not depend on which head of the log was shown. */
  const lasting = (person: Person | null) => ({
    ...person,
    resting: [person?.resting.accounts.whole, person?.resting.profile.whole, person?.resting.accounts.record],
    accounts: person?.accounts.map(({ resting, ...account }) => ({ ...account, rests: resting.whole })),
    account: null,
  });

  it.each([
    ['signatures', {}, 'github:alice-demo'],
    ['signatures', {}, key],
    ['proofs of the log', { log: true }, 'github:alice-demo'],
    ['proofs of the log', { log: true }, key],
    ['the map', { complete: true }, 'github:alice-demo'],
    ['the map', { complete: true }, key],
  ])('is found with %s by one request, and is who separate requests find: %#', async (_by, demand, who) => {
    const together = await measured(client(demand), who);
    expect(asked).toEqual(['/v1/resolve']);

    const oneByOne = await measured(onOldServer(demand), who);

    expect(oneByOne.requests).toBeGreaterThanOrEqual(4);
    expect(lasting(together.person)).toEqual(lasting(oneByOne.person));
  });

  it('is found in one round trip of 100 ms where separate requests need four and more of them', async () => {
    proxy.delayMs = LATENCY_MS;
    const rows = [];
    for (const demand of [{}, { log: true }, { complete: true }]) {
      const [together, apart] = [await measured(client(demand)), await measured(onOldServer(demand))];
      rows.push({ demand: JSON.stringify(demand), together: together.requests, apart: apart.requests });
      expect(together.ms).toBeGreaterThanOrEqual(LATENCY_MS);
      expect(apart.ms).toBeGreaterThan(4 * LATENCY_MS);
    }

    expect(rows.map(({ together }) => together)).toEqual([1, 1, 1]);
  });

  it('asks a server that answers one by one in that way from then on', async () => {
    const old = onOldServer({});
    await measured(old);
    const before = tried;
    const { requests, person } = await measured(old);

    expect([person?.avatar, requests, tried - before]).toEqual([key, 4, 0]);
  });

  it.each([{}, { answers: 7 }, { answers: [null, 7, {}, { request: '/v1/proof', status: '200' }] }, 'wrong'])(
    'asks one by one where the answer is %j',
    async (answer) => {
      proxy.lie = (path, body) => {
        if (!path.startsWith('/v1/resolve')) return;
        if (answer !== 'wrong') return void Object.assign(body, { answers: undefined, service_name: 7 }, answer);
        for (const { json } of body.answers) if (json.proof_chain) json.proof_chain.reverse();
      };
      const { person, requests } = await measured();

      expect(person?.avatar).toBe(key);
      expect(requests).toBeGreaterThanOrEqual(4);
    },
  );

  it('is nobody, with the map as well, by one request too', async () => {
    expect(await measured(client({ complete: true }), 'github:nobody')).toMatchObject({ person: null, requests: 1 });
    expect(await measured(client(), anAvatar('nobody').key.compressed)).toMatchObject({ person: null, requests: 1 });
  });

  it('does not ask again where the log has forked, which the first answer shows', async () => {
    const { origin, size, verifier_key: verifierKey } = (await world.app.get('/v1/log')).body;
    const note = `${origin}\n${size}\n${Buffer.alloc(32, 7).toString('base64')}\n\n— ${origin} AAAAAAAAAAAA\n`;
    const heads = new MemoryHeadStore();
    heads.replace(proxy.baseUrl, null, { note, verifierKey });
    const forked = createClient({ baseUrl: proxy.baseUrl, retries: 0, demand: { log: { heads, logWaitMs: 0 } } });
    asked.length = 0;

    expect(await errorOf(forked.resolve('github:alice-demo'))).toBeInstanceOf(LogForkError);
    expect(asked).not.toContain('/v1/proof');
  });
});

describe('GET /v1/resolve', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ env: { LOG: 'off' } });
  });
  afterAll(() => app?.close());

  it.each([
    '',
    '?platform=github',
    '?identity=alice',
    '?platform=github&identity=alice,bob',
    '?platform=github&identity=alice&public_key=0x02',
    '?public_key=0x02',
    '?platform=nowhere&identity=alice',
    '?platform=github&identity=alice&proved_by=all',
  ])('refuses %s with a sentence and a code', async (query) => {
    const { status, body } = await app.get(`/v1/resolve${query}`);

    expect([status, typeof body.message, typeof body.code]).toEqual([400, 'string', 'string']);
  });

  it('gives what there is where no log is kept, and nothing of what cannot be a name', async () => {
    const requestsOf = async (query: string) =>
      (await app.get(`/v1/resolve?${query}`)).body.answers.map(({ request }: { request: string }) => request);

    expect(await requestsOf('platform=github&identity=alice&proved_by=map')).toEqual([
      '/v1/proof?platform=github&identity=alice&exact=true&page=1',
    ]);
    expect(await requestsOf('platform=github&identity=a..b')).toEqual([
      '/v1/proof?platform=github&identity=a..b&exact=true&page=1',
    ]);
  });
});
