import { DataSource } from 'typeorm';
import { observer } from '../../packages/verify/src/log-sign.js';
import { judgeSeen, linkHash, readObservers, readStatement, writeVerifierKey } from '../../packages/verify/src/seen.js';
import { eraseRecord } from '../../src/erasure/erase-record.js';
import { anAvatar } from '../support/avatar.js';
import { type RunningApp } from '../support/app.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import {
  type BelievedObservers,
  feedOf,
  followNow,
  type GistWorld,
  type ObserverInTest,
  startBelievedObservers,
  startGistWorld,
  startObserver,
  type Statement,
  untilIdle,
  untilSays,
} from './observer-world.js';

const alice = anAvatar('alice');
const avatar = alice.key.compressed;
const GIST = '1'.repeat(32);

/** Whether the statements of these observers, of which some may be down, make a quorum. */
async function judge(world: GistWorld, all: ObserverInTest[], up = all) {
  const { body } = await world.app.get(`/v1/proofchain?public_key=${avatar}`);
  const link = linkHash(body.proof_chain.at(-1).signature_payload);
  const keys = await Promise.all(all.map((one) => one.verifierKey()));
  const list = readObservers(keys.map((key, n) => `observer o${n} ${key}`).join('\n'));
  const notes = (await Promise.all(up.map((one) => feedOf(one)))).flat().map(({ note }) => note);
  return judgeSeen(notes, { link, platform: 'github', identity: 'alice' }, list, { now: Date.now() / 1000 });
}

describe('three servers that look at another one', () => {
  let three: BelievedObservers;
  let world: GistWorld;
  let observers: ObserverInTest[];
  let ways: StandIn[];

  beforeAll(async () => {
    three = await startBelievedObservers(alice, GIST);
    ({ world, observers, ways } = three);
  });
  afterAll(() => three.close());

  const [A, B, C] = [0, 1, 2] as const;

  it('show together that a post is there, also when one of them is down', async () => {
    expect(await judge(world, observers)).toMatchObject({ result: 'seen', count: 3, of: 3, needed: 2, account: '7' });
    const two = observers.slice(0, 2);
    expect(await judge(world, observers, two)).toMatchObject({ result: 'seen', count: 2, of: 3 });
  });

  it('are shown by the server that they look at, as theirs, where it believes them', async () => {
    await followNow(world);
    const shown = (await world.app.get(`/v1/proofs/seen?avatar=${avatar}`)).body.statements as Statement[];
    const own = (await Promise.all(observers.map((one) => one.statements(avatar)))).flat();

    const notesOf = (list: Statement[]) => list.map(({ note }) => note).sort();
    expect(notesOf(shown)).toEqual(notesOf(own));
    expect((await world.app.get('/v1/proofs/seen/changes?last_id=0')).body.statements).toEqual([]);
    expect((await world.app.get('/v1/proofs/seen/keys')).body).toEqual({
      ...{ verifier_key: '', looks_at: [], quorum: 0 },
      observers: three.keys.map((key, n) => ({ operator: `eye${n}`, verifier_keys: [key], urls: [ways[n]!.baseUrl] })),
    });
  });

  it('are not believed by it where a note is of another link, or of a key that it does not name', async () => {
    const [statement] = await observers[0]!.statements(avatar);
    await world.sql('delete from seen_statement');
    const eye0 = observer('eye0.example/seen', new Uint8Array(32).fill(1));
    const stranger = observer('eye0.example/seen', new Uint8Array(32).fill(9));
    const { text } = readStatement(statement!.note)!.note;
    const notes = [
      statement!.note.replace('seen yes', 'seen no'),
      `${text}\n${stranger.sign(text, (Date.now() / 1000) | 0)}`,
      'nothing',
      // About that link, by a key that it names, but filed under an account that the link does not bind.
      ...['identity victim-name', 'platform twitter'].map((line) => {
        const other = text.replace(new RegExp(`${line.split(' ')[0]} .*`), line);
        return `${other}\n${eye0.sign(other, (Date.now() / 1000) | 0)}`;
      }),
      `${text.replace(/link .*/, `link ${'0'.repeat(64)}`)}\n${statement!.note.split('\n\n')[1]}`,
    ];
    const items = notes.map((note, n) => ({ ...statement!, id: n + 1_000, note }));
    ways[0]!.handle(() => ({ json: { statements: [...items, { id: 2_000, avatar }, { ...statement!, id: 2_001 }] } }));
    await world.sql('update followed_feed set last_id = 0 where url = $1', [ways[0]!.baseUrl]);
    await followNow(world);

    const { statements } = (await world.app.get(`/v1/proofs/seen?avatar=${avatar}`)).body;
    expect(statements).toEqual([{ ...statement!, id: undefined, sha256: '' }]);
  });

  it('show that a post is gone which the server calls valid, though one of them lies', async () => {
    for (const one of [observers[A]!, observers[B]!]) one.gists.delete(GIST);
    await Promise.all([A, B].map((n) => untilSays(observers[n]!, false)));

    const query = `platform=github&identity=alice&public_key=${avatar}`;
    expect((await world.app.get(`/v1/proof/exists?${query}`)).body.is_valid).toBe(true);
    expect(await judge(world, observers)).toMatchObject({ result: 'not_seen', count: 2, of: 3 });
  });

  it('have no quorum when one lies and one is down, and each is named with what it says', async () => {
    const verdict = await judge(world, observers, [observers[A]!, observers[C]!]);

    expect(verdict).toMatchObject({ result: 'no_quorum', count: 1, of: 3, needed: 2 });
    expect(verdict.observers.map(({ operator, state }) => [operator, state])).toEqual([
      ['o0', 'not_seen'],
      ['o1', 'no_statement'],
      ['o2', 'seen'],
    ]);
  });
});

describe('a link whose text is erased', () => {
  it('has no statements any more: where it is recorded, where it was looked at, and where it is followed later', async () => {
    const way = await startStandIn(() => 'cut');
    const key = writeVerifierKey(observer('eye.example/seen', new Uint8Array(32).fill(1)).key);
    const world = await startGistWorld({ env: { OBSERVERS: `observer eye ${key} ${way.baseUrl}`, LOG: 'off' } });
    const env = { PUBLIC_URL: 'https://eye.example', SEEN_KEY: '01'.repeat(32), LOG: 'off' };
    await world.bind(alice, GIST, 'alice');
    const eye = await startObserver(world.app, new Map(world.gists), { env });
    way.handle(async ({ path, query }) => ({ json: (await eye.app.get(`${path}?${query}`)).body }));
    const [{ uuid }] = (await eye.statements(avatar)) as [Statement];
    await followNow(world);
    const shown = async () => (await world.app.get(`/v1/proofs/seen?avatar=${avatar}`)).body.statements as Statement[];
    expect(await shown()).toHaveLength(1);

    const options = {
      kind: 'link',
      name: uuid,
      reason: 'asked for',
      consents: ['with-binding'],
    };
    await world.app.app
      .get(DataSource)
      .transaction((manager) => eraseRecord(manager, { LOG: false }, options, new Date()));

    expect(await shown()).toEqual([]);
    await eye.makeDue();
    await until(async () => (await feedOf(eye)).length === 0);
    await followNow(world);
    expect(await shown()).toEqual([]);
    const later = await startObserver(world.app, new Map(world.gists), { env: { LOG: 'off' } });
    await followNow(later);
    expect(await later.sql('select is_broken from observed_chain')).toEqual([{ is_broken: false }]);
    expect(await later.sql('select from observed_binding')).toEqual([]);
    expect(later.github.requests).toEqual([]);
    for (const one of [later, eye, world, way]) await one.close();
  });
});

describe('a server that shows links of its own making', () => {
  let upstream: StandIn;
  let world: GistWorld;
  let looker: ObserverInTest;
  let links: Record<string, unknown>[];

  beforeAll(async () => {
    world = await startGistWorld();
    await world.bind(alice, GIST, 'alice');
    links = (await world.app.get('/v1/proofchain/changes?last_id=0&count=10')).body.links;
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await looker.close();
    await upstream.close();
  });

  /** An observer of a stand-in that shows these links. */
  async function observe(shown: Record<string, unknown>[]): Promise<void> {
    upstream = await startStandIn(({ path: asked, query }) => {
      if (asked !== '/v1/proofchain/changes') return { status: 404, json: { message: 'no', code: 'not_found' } };
      return { json: { links: shown.filter(({ id }) => (id as number) > Number(query.get('last_id'))) } };
    });
    looker = await startObserver(upstream as unknown as RunningApp, new Map(world.gists), { env: { LOG: 'off' } });
    await until(async () => {
      const rows = await looker.sql<{ items: number; problem: string }>('select items, problem from followed_feed');
      return rows[0]?.items === shown.length || rows[0]?.problem !== '';
    });
  }

  it('is not believed a link that nobody signed, nor what it adds behind it', async () => {
    const forged = { ...links[0], identity: 'mallory' };
    await observe([forged, { ...links[0], id: 7 }]);

    expect(await looker.sql('select is_broken from observed_chain')).toEqual([{ is_broken: true }]);
    expect(await looker.sql('select from observed_binding')).toEqual([]);
    expect(looker.github.requests).toEqual([]);
  });

  it.each([
    ['a location that is another address', { proof_location: '../../user' }],
    ['a location with a NUL', { proof_location: 'a\0b' }],
    ['a location of a megabyte', { proof_location: 'a'.repeat(1_000_000) }],
    ['no location', { proof_location: '' }],
  ])('makes no request of %s', async (_what, changes) => {
    await observe([{ ...links[0], ...changes }]);
    await untilIdle(looker);

    expect(looker.github.requests).toEqual([]);
    expect(await feedOf(looker)).toEqual([]);
  });

  it.each([
    ['no list', { links: 'all' }],
    [
      'ids that go back',
      {
        links: [
          { id: 2, avatar },
          { id: 1, avatar },
        ],
      },
    ],
    ['an Avatar that is no key', { links: [{ id: 1, avatar: '\0' }] }],
  ])('is not followed where its feed has %s', async (_what, body) => {
    upstream = await startStandIn(() => ({ json: body }));
    looker = await startObserver(upstream as unknown as RunningApp, new Map(), { env: { LOG: 'off' } });
    await until(async () => {
      const [row] = await looker.sql<{ problem: string }>('select problem from followed_feed');
      return row?.problem.includes('no page of the feed') === true;
    });

    expect(await looker.sql('select last_id from followed_feed')).toEqual([{ last_id: 0 }]);
  });

  it('is followed no further than LOOK_LINKS', async () => {
    upstream = await startStandIn(({ query }) => ({
      json: { links: query.get('last_id') === '0' ? links : [] },
    }));
    looker = await startObserver(upstream as unknown as RunningApp, new Map(world.gists), {
      env: { LOG: 'off', LOOK_LINKS: '1' },
    });
    await looker.statements(avatar);
    const asked = upstream.requests.length;
    await followNow(looker);

    expect(upstream.requests).toHaveLength(asked);
    expect(await looker.sql('select problem from followed_feed')).toEqual([
      { problem: expect.stringContaining('LOOK_LINKS') },
    ]);
  });
});
