import { DataSource } from 'typeorm';
import type { RecheckService } from '../../src/rechecks/recheck.service.js';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';
import { asHtml, nodeinfo, webfinger } from '../../packages/look/test/verifiers/activitypub-stand-ins.js';
import { type GistWorld, hoursAfter, startGistWorld } from './bound-gist.js';
import { seedDueProofs, seededGists, seededPosts, type SeededProof, type SeedOptions } from './due-proofs.js';
import { anAvatar } from '../support/avatar.js';
import {
  connectTo,
  jsonReply,
  type StandIn,
  type StandInHandler,
  startStandIn,
} from '../../packages/look/test/support/stand-in-server.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
const NOW = new Date();

let x: StandIn;
let world: GistWorld;
let rechecks: RecheckService;

beforeEach(async () => {
  x = await startStandIn(() => ({ status: 404 }));
});
afterEach(async () => {
  await world.close();
  await x.close();
});

async function start(env: Record<string, string> = {}, transport?: WebTransport): Promise<void> {
  const settings = { X_API_BASE: x.baseUrl, X_BEARER_TOKEN: 'token', X_FALLBACKS: '', ...env };
  world = await startGistWorld({ env: settings, ...(transport && { transport }) });
  rechecks = world.rechecks;
}

const seed = (platform: SeedOptions['platform'], count: number, options: Partial<SeedOptions> = {}) =>
  seedDueProofs(world.app.app.get(DataSource), {
    avatar: alice,
    platform,
    count,
    dueAt: hoursAfter(NOW, -1),
    ...options,
  });
const countDue = async (now = NOW) =>
  (await world.sql<{ due: number }>('select count(*)::int as due from proof where next_check_at <= $1', [now]))[0]!.due;

describe('many due proofs', () => {
  it('on X are asked for by the hundred', async () => {
    await start();
    x.handle(seededPosts(await seed('twitter', 250)));

    expect(await rechecks.checkDue(NOW)).toMatchObject({ valid: 250 });

    expect(x.requests.map(({ query }) => query.get('ids')!.split(',').length).sort()).toEqual([100, 100, 50]);
    expect(await countDue()).toBe(0);
  });

  it('on X that are deleted turn invalid one by one, with one event each', async () => {
    await start();
    const proofs = await seed('twitter', 120);
    const isGone = (id: string) => id.endsWith('7');
    x.handle((request) => {
      const ids = (request.query.get('ids') ?? '').split(',');
      const problem = { type: 'https://api.x.com/2/problems/resource-not-found' };
      return {
        json: {
          ...postsOf(ids.filter((id) => !isGone(id))),
          errors: ids.filter(isGone).map((id) => ({ ...problem, resource_id: id, value: id })),
        },
        headers: { 'content-type': 'application/json' },
      };
      function postsOf(found: string[]) {
        const kept = proofs.filter(({ proofLocation }) => found.includes(proofLocation));
        return {
          data: kept.map(({ proofLocation: id, postText }) => ({ id, text: postText, author_id: `9${id}` })),
          includes: { users: kept.map(({ proofLocation: id, identity }) => ({ id: `9${id}`, username: identity })) },
        };
      }
    });

    expect(await rechecks.checkDue(NOW)).toMatchObject({ valid: 108, gone: 12 });
    expect(await world.sql('select 1 from domain_event')).toEqual([]);
    expect(await rechecks.checkDue(hoursAfter(NOW, 1.1))).toMatchObject({ gone: 12 });

    const told = await world.sql<{ identity: string }>(
      `select payload ->> 'identity' as identity from domain_event where name = 'proof.invalidated'`,
    );
    const gone = proofs.filter(({ proofLocation }) => isGone(proofLocation)).map(({ identity }) => identity);
    expect(told.map(({ identity }) => identity).sort()).toEqual(gone.sort());
  });

  it('use half of what a platform allows, and wait for the next window with the rest', async () => {
    await start({ GITHUB_TOKEN: '' });
    world.github.handle(seededGists(alice, await seed('github', 70)));

    // GitHub allows 60 requests an hour without a token.
    expect(await rechecks.checkDue(NOW)).toMatchObject({ valid: 30, unavailable: 0 });
    expect(await rechecks.checkDue(hoursAfter(NOW, 0.9))).toMatchObject({ valid: 0, unavailable: 0 });
    expect(await rechecks.checkDue(hoursAfter(NOW, 1.1))).toMatchObject({ valid: 30, unavailable: 0 });

    expect(world.github.requests).toHaveLength(60);
    expect(await countDue()).toBe(10);
    expect(await world.sql('select distinct outcome from proof_check')).toEqual([{ outcome: 'valid' }]);
  });

  it('are asked for a few at a time', async () => {
    await start({ RECHECK_CONCURRENCY: '3' });
    const gists = seededGists(alice, await seed('github', 30));
    let running = 0;
    let most = 0;
    world.github.handle(async (request) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return gists(request);
    });

    await rechecks.checkDue(NOW);

    expect(most).toBe(3);
  });

  it('on a platform that hangs do not hold up the others', async () => {
    await start();
    const posts = seededPosts(await seed('twitter', 5));
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    x.handle(async (request) => {
      await released;
      return posts(request);
    });
    const due = await world.bind(bob, 'abcdef', 'bob-demo');

    const slow = rechecks.checkDue(due);
    while ((await world.sql('select 1 from proof_check')).length < 2) await new Promise(setImmediate);
    await rechecks.sweep({ platform: 'github' }, due);
    const second = await rechecks.checkDue(due);
    release();

    expect(second).toMatchObject({ valid: 1 });
    expect(await slow).toMatchObject({ valid: 6 });
    expect(x.requests).toHaveLength(1);
  });

  it('of the Fediverse keep to what each server allows, one after the other, and a dead server holds up no other', async () => {
    const fediverse = await startStandIn(() => 'hang', { tls: true });
    const hosts = ['busy.example.com', 'dead.example.com'];
    await start({ OUTBOUND_TIMEOUT_MS: '2000' }, await connectTo(fediverse, hosts));
    const proofs = await seed('activitypub', 124, {
      identityAt: (number) => `user${number}@${hosts[number % 62 === 0 ? 1 : 0]}`,
    });
    const answer = mastodonOf(proofs);
    let running = 0;
    let most = 0;
    fediverse.handle(async (request) => {
      if (request.headers['host'] === hosts[1]) return 'hang';
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return answer(request);
    });

    // 300 requests in five minutes, half of that, and three for a check.
    expect(await rechecks.checkDue(NOW)).toMatchObject({ valid: 50, unavailable: 2, postponed: 72 });

    expect(most).toBe(1);
    const waits = await world.sql<{ minutes: number; count: number }>(
      `select round(extract(epoch from next_check_at - $1) / 60)::int as minutes, count(*)::int as count from proof
       where id not in (select proof_id from proof_check) group by minutes order by minutes`,
      [NOW],
    );
    expect(waits).toEqual([
      { minutes: 5, count: 50 },
      { minutes: 10, count: 22 },
    ]);
    await fediverse.close();
  });

  it('of one host, however many and however slow, leave slots for those of others', async () => {
    const fediverse = await startStandIn(() => 'hang', { tls: true });
    const hosts = ['hostile.example.com', 'honest.example.com'];
    await start({ OUTBOUND_TIMEOUT_MS: '1000' }, await connectTo(fediverse, hosts));
    await seed('activitypub', 600, { dueAt: hoursAfter(NOW, -2), identityAt: (number) => `user${number}@${hosts[0]}` });
    const honest = await seed('activitypub', 1, {
      avatar: bob,
      firstLinkId: 601,
      identityAt: (number) => `user${number}@${hosts[1]}`,
    });
    const answer = mastodonOf(honest);
    fediverse.handle(async (request) => (request.headers['host'] === hosts[0] ? 'hang' : answer(request)));

    const totals = await rechecks.checkDue(NOW);

    const asked = fediverse.requests.map(({ headers }) => headers['host']);
    expect(asked.indexOf(hosts[1])).toBeLessThan(3);
    // The hostile host is asked twice, and then left alone with the rest of its share.
    expect(totals).toMatchObject({ valid: 1, unavailable: 2, postponed: 497 });
    expect(await countDue(hoursAfter(NOW, 0.1))).toBeGreaterThanOrEqual(597);
    await fediverse.close();
  });

  it('go on when the database refuses to store what one of them told', async () => {
    await start();
    world.github.handle(seededGists(alice, await seed('github', 3)));
    await world.sql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`,
    );
    await world.sql(`create trigger refuse before update on proof for each row
      when (new.identity = 'user2' and new.last_checked_at <> old.last_checked_at) execute function refuse()`);

    expect(await rechecks.checkDue(NOW)).toMatchObject({ valid: 2, unavailable: 1 });

    expect(await countDue()).toBe(0);
    const refused = `select p.check_failures, p.is_valid, c.reason from proof p join proof_check c on c.proof_id = p.id where identity = 'user2'`;
    expect(await world.sql(refused)).toEqual([
      { check_failures: 1, is_valid: true, reason: 'The answer of the platform could not be stored.' },
    ]);
  });
});

/** Answers as a Mastodon server does that has the posts of `proofs`. */
function mastodonOf(proofs: SeededProof[]): StandInHandler {
  const byIdentity = new Map(proofs.map((proof) => [proof.identity, proof]));
  const byLocation = new Map(proofs.map((proof) => [proof.proofLocation, proof]));
  return ({ path, query, headers }) => {
    const host = headers['host']!;
    const asked = byIdentity.get((query.get('resource') ?? '').replace('acct:', ''));
    if (asked) return webfinger(asked.identity.split('@')[0], host);
    const known = Object.entries(nodeinfo('mastodon')).find(([route]) => route.endsWith(path));
    if (known) return JSON.parse(JSON.stringify(known[1]).replaceAll('social.example.com', host));
    const proof = byLocation.get(path.replace('/api/v1/statuses/', ''));
    if (!proof) return jsonReply({ error: 'Record not found' }, 404);
    const user = proof.identity.split('@')[0]!;
    return jsonReply({
      id: proof.proofLocation,
      uri: `https://${host}/users/${user}/statuses/${proof.proofLocation}`,
      url: `https://${host}/@${user}/${proof.proofLocation}`,
      visibility: 'public',
      content: asHtml(proof.postText),
      account: { id: `9${proof.proofLocation}`, username: user, acct: user, url: `https://${host}/@${user}` },
    });
  };
}
