/** Servers whose databases were restored from older copies: their feeds give numbers again that were read before. */
import { anAvatar, type TestAvatar } from '../support/avatar.js';
import { jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import {
  feedOf,
  followNow,
  type GistWorld,
  type ObserverInTest,
  startBelievedObservers,
  startGistWorld,
  startObserver,
} from './observer-world.js';

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => anAvatar(name)) as [
  TestAvatar,
  TestAvatar,
  TestAvatar,
];

describe('a server that is followed, and was set back to an older state', () => {
  let world: GistWorld;
  /** The way to it, on which its feed is that of another time. */
  let way: StandIn;
  let observer: ObserverInTest;
  let links: Record<string, string>[];

  beforeAll(async () => {
    world = await startGistWorld();
    await world.bind(alice, 'a'.repeat(32), 'alice');
    await world.bind(bob, 'b'.repeat(32), 'bob');
    await world.bind(carol, 'c'.repeat(32), 'carol');
    await world.bind(carol, 'd'.repeat(32), 'carol-too');
    links = (await world.app.get('/v1/proofchain/changes?last_id=0')).body.links;
    way = await startStandIn(() => 'cut');
  });
  beforeEach(async () => {
    show('alice', 'bob');
    observer = await startObserver(way, new Map(world.gists), { env: { LOG: 'off' } });
    await observer.statements(bob.key.compressed);
  });
  afterEach(() => observer.close());
  afterAll(async () => {
    await way.close();
    await world.close();
  });

  /** Has the feed hold the links of these accounts, with numbers from 1 on. */
  function show(...identities: string[]): void {
    const shown = identities.map((identity, index) => ({
      ...links.find((link) => link['identity'] === identity),
      id: index + 1,
    }));
    way.handle(async ({ path, query }) =>
      path === '/v1/proofchain/changes'
        ? jsonReply({ links: shown.filter(({ id }) => id > Number(query.get('last_id'))) })
        : { json: (await world.app.get(`${path}?${query}`)).body },
    );
  }
  const accountsSeen = async () => (await feedOf(observer)).map(({ identity }) => identity).sort();

  it.each([
    ['has taken other links since, under numbers that were read', ['alice', 'carol', 'carol-too']],
    ['has fewer links than were read', ['carol']],
  ])('is read again from its beginning, and no chain is called broken: it %s', async (_what, now) => {
    show(...now);
    await followNow(observer);
    expect(await observer.sql('select last_id::int as last, problem from followed_feed')).toEqual([
      { last: 0, problem: expect.stringContaining('set back to an older state') },
    ]);

    await followNow(observer);
    await until(async () => (await accountsSeen()).includes(now.at(-1)!));

    expect(await observer.sql('select avatar from observed_chain where is_broken')).toEqual([]);
    expect(await observer.sql('select last_id::int as last, problem from followed_feed')).toEqual([
      { last: now.length, problem: '' },
    ]);
  });

  it('is followed as before where it has only more', async () => {
    show('alice', 'bob', 'carol');
    await followNow(observer);

    await until(async () => (await accountsSeen()).includes('carol'));
    expect(await observer.sql('select last_id::int as last, items, problem from followed_feed')).toEqual([
      { last: 3, items: 3, problem: '' },
    ]);
  });
});

it('statements of an observer that was set back are collected again', async () => {
  const { world, observers, close } = await startBelievedObservers(alice, 'a'.repeat(32));
  try {
    const collected = async () => (await world.sql('select from seen_statement')).length;
    await followNow(world);
    await until(async () => (await collected()) === observers.length);

    await world.sql('delete from seen_statement');
    await world.sql('update followed_feed set last_id = 1000');
    await followNow(world);
    await followNow(world);

    expect(await collected()).toBe(observers.length);
  } finally {
    await close();
  }
});
