import { DataSource } from 'typeorm';
import { DAY_MS, delayAfterChecks, RECHECK_SPREAD, type RecheckIntervals } from '../../packages/look/src/internal.js';
import { PlatformUse } from '../../src/outbound/platform-use.js';
import { LookedUpRechecks } from '../../src/rechecks/looked-up-rechecks.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { ENGINES } from '../support/engines.js';
import { sized } from '../support/tier.js';
import { jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { seededPosts, type SeededProof, seedDueProofs } from './due-proofs.js';

const alice = anAvatar('alice');
const STEADY = 3 * 24 * 3600;
const RARER: RecheckIntervals = { steadySeconds: STEADY, longestSeconds: 60 * 24 * 3600 };

describe('the rechecks of many bindings on X in sixty days', () => {
  const BINDINGS = sized('BINDINGS', { short: 10_000, long: 100_000 });
  const WINDOW_DAYS = 60;
  /** The bindings came evenly over two years. */
  const OLDEST_DAYS = 730;
  /** The last days before the window that are played, and the checks that an older binding has had before them. */
  const SETTLED_DAYS = 130;
  const SETTLED_CHECKS = 8;
  /** Days between two look-ups of a binding: of three in a hundred one, of seven thirty, of the others none at all. */
  const lookUpDays = (number: number) => (number % 100 < 3 ? 1 : number % 100 < 10 ? 30 : Infinity);

  /** When the next recheck is, if the binding is looked up every so many days: as `DueRechecks.bringForward` has it. */
  function nextCheck(last: number, checksDone: number, intervals: RecheckIntervals, everyDays: number): number {
    const next = last + delayAfterChecks(checksDone, intervals) / DAY_MS;
    const steadyDays = intervals.steadySeconds / 24 / 3600;
    if (next <= last + steadyDays * (1 + RECHECK_SPREAD)) return next;
    const lookedUp = (Math.floor(last / everyDays) + 1) * everyDays;
    return lookedUp < next ? Math.max(lookedUp, last + steadyDays) : next;
  }

  function readsIn(intervals: RecheckIntervals): number {
    let reads = 0;
    for (let number = 0; number < BINDINGS; number += 1) {
      const everyDays = lookUpDays(number);
      const age = (OLDEST_DAYS * ((number * 7919) % BINDINGS)) / BINDINGS;
      // What was before that makes no difference to the window.
      const skipped = Math.max(0, age - SETTLED_DAYS);
      let checksDone = skipped > 0 ? SETTLED_CHECKS : 0;
      for (let at = skipped; ; checksDone += 1) {
        at = nextCheck(at, checksDone, intervals, everyDays);
        if (at > age + WINDOW_DAYS) break;
        if (at > age) reads += 1;
      }
    }
    return reads;
  }

  it('are a tenth of those at a steady interval, or less', () => {
    const [before, now] = [readsIn({ steadySeconds: STEADY }), readsIn(RARER)];

    process.stdout.write(`rechecks of X in 60 days: ${before} at a steady interval, ${now} where they become rarer\n`);
    expect(before).toBeGreaterThan((BINDINGS * WINDOW_DAYS) / 3.2);
    expect(now).toBeLessThanOrEqual(before / 10);
  });
});

describe.each(ENGINES)('rechecks on X that are paid for, on %s', (engine) => {
  const COUNT = 300;
  let running: RunningApp;
  let x: StandIn;
  let posts: SeededProof[];
  /** Posts that the keyless endpoint shows. */
  let open = new Set<string>();

  beforeAll(async () => {
    x = await startStandIn(() => ({ status: 500 }));
    running = await startApp({
      engine,
      env: {
        ADMIN_TOKEN,
        REVALIDATION: 'off',
        X_BEARER_TOKEN: 'token',
        X_FALLBACKS: 'syndication',
        X_API_BASE: x.baseUrl,
        X_SYNDICATION_BASE: x.baseUrl,
        PLATFORM_PRICES: 'twitter=0.015',
      },
    });
    posts = await seedDueProofs(running.app.get(DataSource), { avatar: alice, platform: 'twitter', count: COUNT });
    // Each has had nine checks, the last three days ago.
    await sql(`update proof set checks_done = 9, last_checked_at = now() - interval '3 days'`);
    const api = seededPosts(posts);
    x.handle((request) => {
      if (request.path !== '/tweet-result') return api(request);
      const post = posts.find(({ proofLocation }) => proofLocation === request.query.get('id'));
      if (!post || !open.has(post.proofLocation)) return { status: 500 };
      const { identity, proofLocation, postText } = post;
      const user = { id_str: `9${proofLocation}`, screen_name: identity };
      return jsonReply({ __typename: 'Tweet', id_str: proofLocation, text: postText, user });
    });
  });
  afterAll(async () => {
    await running?.close();
    await x?.close();
  });

  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    running.app.get(DataSource).query(text, values);
  /** Days from the last check of a binding until its next one. */
  const daysUntilNext = async (identity: string) => {
    const [row] = await sql<{ days: number }>(
      `select extract(epoch from next_check_at - last_checked_at)::float8 / 86400 as days from proof where identity = $1`,
      [identity],
    );
    return row!.days;
  };
  const nextOf = async (identity: string) => {
    const [row] = await sql<{ next: Date }>('select next_check_at as next from proof where identity = $1', [identity]);
    return row!.next;
  };
  const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
  const lookUp = (identity: string) =>
    running.get(`/v1/proof/exists?platform=twitter&identity=${identity}&public_key=${alice.key.compressed}`);
  const apiRequests = () => x.requests.filter(({ path }) => path === '/2/tweets');

  it('ask a keyless endpoint first, and the API for what it does not confirm', async () => {
    open = new Set(posts.slice(0, 20).map(({ proofLocation }) => proofLocation));

    const { valid } = await running.app.get(RecheckService).checkDue();

    expect(valid).toBe(COUNT);
    const asked = apiRequests().flatMap(({ query }) => query.get('ids')!.split(','));
    expect(asked).toHaveLength(COUNT - open.size);
    expect(asked.filter((id) => open.has(id))).toEqual([]);
  });

  it('are told to the operator by day, with what they cost', async () => {
    await running.app.get(PlatformUse).flush();

    const { body } = await adminOf(running).get('/platform-use');
    expect(body.days).toEqual([
      {
        day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        platform: 'twitter',
        requests: x.requests.length,
        paid_reads: COUNT - open.size,
        cost: (COUNT - open.size) * 0.015,
      },
    ]);
  });

  it('are rare where nobody looks, and come as soon as ever for a binding that is looked up', async () => {
    const [quiet, looked, late] = ['user250', 'user251', 'user252'] as const;
    expect(await daysUntilNext(quiet)).toBeGreaterThan(53);

    await lookUp(looked);
    await running.app.get(LookedUpRechecks).flush();
    await lookUp(late);
    await running.app.get(LookedUpRechecks).flush(daysFromNow(20));

    expect(await daysUntilNext(quiet)).toBeGreaterThan(53);
    expect(await daysUntilNext(looked)).toBeCloseTo(3, 5);
    expect(await daysUntilNext(late)).toBeCloseTo(20, 1);
  });

  it('notice a post that is gone, and that is looked up, an hour after the recheck that misses it', async () => {
    const gone = posts.find(({ identity }) => identity === 'user251')!;
    posts.splice(posts.indexOf(gone), 1);
    const api = seededPosts(posts);
    x.handle((request) =>
      request.path === '/2/tweets' ? missing(api(request), request.query.get('ids')!) : { status: 404 },
    );

    await running.app.get(RecheckService).checkDue(daysFromNow(3.01));
    expect((await lookUp('user251')).body.is_valid).toBe(true);
    await running.app.get(RecheckService).checkDue(daysFromNow(3.06));

    expect((await lookUp('user251')).body.is_valid).toBe(false);
  });

  it('stay as they are while a server checks, and where they are soon', async () => {
    const lease = new Date(Date.now() + 5 * 60_000);
    await sql(`update proof set next_check_at = $1 where identity = 'user260'`, [lease]);
    await sql(`update proof set next_check_at = last_checked_at + interval '3.2 days' where identity = 'user261'`);

    await lookUp('user260');
    await lookUp('user261');
    await running.app.get(LookedUpRechecks).flush();

    expect(await nextOf('user260')).toEqual(lease);
    expect(await daysUntilNext('user261')).toBeCloseTo(3.2, 5);
  });

  it('stay as they are after an answer that has another time for the next one, however old the last check is', async () => {
    const soon = new Date(Date.now() + 50 * 60_000);
    const set = `update proof set last_checked_at = now() - interval '60 days', next_check_at = $1`;
    await sql(`${set}, check_failures = 1 where identity = 'user262'`, [soon]);
    await sql(`${set}, gone_since = now() - interval '10 minutes' where identity = 'user263'`, [soon]);
    await sql(`${set} where identity = 'user264'`, [soon]);

    for (const identity of ['user262', 'user263', 'user264']) await lookUp(identity);
    await running.app.get(LookedUpRechecks).flush();

    expect(await nextOf('user262')).toEqual(soon);
    expect(await nextOf('user263')).toEqual(soon);
    expect((await nextOf('user264')).getTime()).toBeLessThan(soon.getTime());
  });

  it.each([
    ['is not due yet', 'valid', '20 days', 0],
    ['has been due for a day', 'valid', '-1 day', 0],
    ['has been due for a week', 'not checked since', '-7 days', 0],
    ['was tried in vain', 'not checked since', '20 days', 1],
  ])('leave a badge that was checked forty days ago, and whose recheck %s, %s', async (_, state, next, failures) => {
    await sql(
      `update proof set last_checked_at = now() - interval '40 days', next_check_at = now() + $1::interval,
         check_failures = $2 where identity = 'user270'`,
      [next, failures],
    );

    const badge = await fetch(`${running.baseUrl}/badge/twitter/user270.svg`);

    expect(await badge.text()).toContain(`user270 on twitter, ${state} `);
  });
});

/** What the API says of ids of which it has no post. */
function missing(reply: unknown, ids: string) {
  const { json } = reply as { json: { data: { id: string }[] } };
  const errors = ids
    .split(',')
    .filter((id) => !json.data.some((post) => post.id === id))
    .map((id) => ({ type: 'https://api.x.com/2/problems/resource-not-found', resource_id: id, value: id }));
  return jsonReply({ ...json, errors });
}
