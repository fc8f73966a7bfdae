import { identityKeyText } from '@signet/verify/internal/chains';
import { linkHash } from '@signet/verify/seen';
import { anAvatar } from '../support/avatar.js';
import { jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import {
  feedOf,
  followNow,
  type GistWorld,
  type ObserverInTest,
  startObserver,
  looksAt,
  startBoundWorld,
  untilIdle,
} from './observer-world.js';

const alice = anAvatar('alice');
const avatar = alice.key.compressed;
const [RIGHT, WRONG] = ['1'.repeat(32), 'f'.repeat(32)];

/** What nobody signed: an erasure of a binding of `alice`, as a hostile feed writes it. */
const forgedErasure = (id: number) => ({
  ...{
    id,
    avatar,
    action: 'delete',
    platform: 'github',
    identity: '',
    proof_location: '',
    created_at: String(Math.floor(Date.now() / 1000)),
  },
  ...{ uuid: '6f1c0000-0000-4000-8000-000000000000', signature: 'AAAA', signature_payload: '', extra: {} },
  erased: {
    at: 1763700000,
    identity_key: identityKeyText({ platform: 'github', identity: 'alice' }),
    reason: 'x',
    record: '0'.repeat(64),
  },
});

describe('a server that looks at an honest and a hostile one', () => {
  let honest: GistWorld;
  let hostile: StandIn;
  /** What the hostile server shows in its feed. */
  let shown: { id: number }[];
  /** Whether it says that it has a binding. */
  let exists: boolean;
  let observer: ObserverInTest;

  beforeEach(async () => {
    [shown, exists] = [[], true];
    honest = await startBoundWorld(alice, RIGHT);
    hostile = await startStandIn(({ path, query }) => {
      if (path !== '/v1/proofchain/changes') return 'cut';
      return jsonReply({ links: shown.filter(({ id }) => id > Number(query.get('last_id'))) });
    });
  });
  afterEach(async () => {
    await observer.close();
    await honest.close();
    await hostile.close();
  });

  const linkOfAlice = async () =>
    (await honest.app.get('/v1/proofchain/changes?last_id=0&count=10')).body.links[0] as Record<string, string>;
  const start = async () => {
    observer = await startObserver(honest.app, new Map(honest.gists), {
      env: { LOG: 'off', LOOK_AT: `${hostile.baseUrl},${honest.app.baseUrl}` },
    });
  };
  const said = async () => (await feedOf(observer)).map(({ seen }) => seen);

  /** Looks at all places again, as an hour later. */
  const lookAgain = async () => {
    await observer.makeDue();
    await untilIdle(observer);
  };
  /** Says of the binding what `exists` says, whatever name is asked for. */
  const answerExists = async () => {
    const { created_at } = await linkOfAlice();
    hostile.handle(({ path, query }) => {
      if (path === '/v1/proof/exists') return exists ? jsonReply({ created_at }) : jsonReply({}, 404);
      return jsonReply({ links: shown.filter(({ id }) => id > Number(query.get('last_id'))) });
    });
  };

  it('keeps what it saw at one when the other shows an erasure, a delete or a broken chain of that key', async () => {
    await start();
    const [before] = await observer.statements(avatar);

    shown = [forgedErasure(1)];
    await followNow(observer);
    shown = [...shown, { ...forgedErasure(2), erased: undefined, identity: 'alice' } as never];
    await followNow(observer);

    expect(await observer.sql('select items from followed_feed order by items')).toEqual([{ items: 1 }, { items: 2 }]);
    expect(await feedOf(observer)).toEqual([{ ...before, id: expect.any(Number) }]);
    expect(await observer.sql('select is_seen from observed_binding')).toEqual([{ is_seen: true }]);
  });

  it('looks at each place that they name, and never says no while the post is at one of them', async () => {
    shown = [{ ...(await linkOfAlice()), id: 1, proof_location: WRONG } as never];
    await answerExists();
    await start();
    await until(async () => (await said()).length === 1);
    await untilIdle(observer);

    for (let round = 0; round < 3; round += 1) await lookAgain();

    expect(looksAt(observer, WRONG)).toBeGreaterThan(1);
    expect(looksAt(observer, RIGHT)).toBeGreaterThan(1);
    expect(await said()).toEqual([true]);
    expect(
      await observer.sql('select proof_location as place, is_seen from observed_binding order by proof_location'),
    ).toEqual([
      { place: RIGHT, is_seen: true },
      { place: WRONG, is_seen: false },
    ]);
  });

  it('says no when the post is at none of the places any more', async () => {
    shown = [{ ...(await linkOfAlice()), id: 1, proof_location: WRONG } as never];
    await answerExists();
    await start();
    await until(async () => (await said()).length === 1);
    observer.gists.delete(RIGHT);

    await until(async () => {
      await lookAgain();
      return (await said())[0] === false;
    });
    expect(looksAt(observer, RIGHT)).toBeGreaterThan(2);
  });

  it('keeps looking at a link that one of them shows, when the other says that it has it no more', async () => {
    shown = [{ ...(await linkOfAlice()), id: 1 } as never];
    await answerExists();
    await start();
    await until(async () => (await observer.sql('select from observed_binding where is_seen')).length === 2);

    exists = false;
    await lookAgain();
    await until(async () => (await observer.sql('select from observed_binding')).length === 1);
    expect(await said()).toEqual([true]);

    await honest.sql('delete from proof');
    await lookAgain();
    await until(async () => (await feedOf(observer)).length === 0);
  });

  it('looks once at a place that both of them name', async () => {
    shown = [{ ...(await linkOfAlice()), id: 1 } as never];
    await answerExists();
    await start();
    await until(async () => (await observer.sql('select from observed_binding where is_seen')).length === 2);

    expect(await said()).toEqual([true]);
    // At the first start, both may be read at the same moment.
    expect(looksAt(observer, RIGHT)).toBeLessThanOrEqual(2);
    await observer.sql(
      'update observed_binding set next_look_at = now() where id = (select min(id) from observed_binding)',
    );
    const before = looksAt(observer, RIGHT);
    await until(() => looksAt(observer, RIGHT) > before);
    await untilIdle(observer);
    expect(looksAt(observer, RIGHT)).toBe(before + 1);
    const [{ seconds }] = (await observer.sql<{ seconds: number }>(
      'select extract(epoch from max(next_look_at) - min(next_look_at))::float8 as seconds from observed_binding',
    )) as [{ seconds: number }];
    expect(seconds).toBeCloseTo(300, 0);
  });

  it('knows one account of a link, at whatever place it was seen first', async () => {
    await start();
    await observer.statements(avatar);
    const gist = honest.gists.get(RIGHT)!;
    // The name has another holder now, who has copied the post.
    observer.gists.set(WRONG, { ...gist, accountId: 8 });
    shown = [{ ...(await linkOfAlice()), id: 1, proof_location: WRONG } as never];
    await answerExists();

    await followNow(observer);
    await until(() => looksAt(observer, WRONG) > 0);
    await untilIdle(observer);

    expect(await feedOf(observer)).toEqual([expect.objectContaining({ seen: true, account_id: '7' })]);
    expect(await observer.sql('select is_seen from observed_binding where proof_location = $1', [WRONG])).toEqual([
      { is_seen: null },
    ]);
  });

  it('gives the servers turns, so that many bindings of one whose host hangs do not hold up the others', async () => {
    await start();
    await observer.statements(avatar);
    const link = linkHash((await linkOfAlice())['signature_payload']!);
    await observer.sql(
      `insert into observed_binding (feed_id, link_hash, avatar, platform, identity, uuid, created_at, proof_location, signature_payload, next_look_at)
       select feed.id, lpad(n::text, 64, '0'), avatar, platform, identity, uuid, created_at, lpad(n::text, 32, '0'), signature_payload,
         now() - interval '1 day'
       from observed_binding, followed_feed as feed, generate_series(1, 40) as n where feed.url = $1`,
      [hostile.baseUrl],
    );
    const show = observer.github;
    const hanging: (() => void)[] = [];
    show.handle(({ path }) => {
      if (path === `/gists/${RIGHT}`) return jsonReply({}, 503);
      return new Promise((resolve) => hanging.push(() => resolve('cut')));
    });
    await until(() => hanging.length >= 2);
    const before = looksAt(observer, RIGHT);

    await observer.sql('update observed_binding set next_look_at = now() where link_hash = $1', [link]);
    await until(() => {
      if (looksAt(observer, RIGHT) > before) return true;
      hanging.shift()?.();
      return false;
    });

    // Those of the other server are due for a day, and most of them are waiting still.
    expect(observer.github.requests.length).toBeLessThan(20);
    for (const end of hanging) end();
  });
});
