import { observer } from '../../packages/verify/src/log-sign.js';
import { writeVerifierKey } from '../../packages/verify/src/seen.js';
import { type ObserverInTest, startObserver, feedOf, followNow, untilIdle } from '../observer/observer-world.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar } from '../support/avatar.js';
import { type StandIn, startStandIn } from '../support/stand-in-server.js';
import { until } from '../support/until.js';
import { describePage } from './browser.js';

const alice = anAvatar('alice');
const avatar = alice.key.compressed;
const GIST = '1'.repeat(32);

describe('a page of a server that shows what others saw', () => {
  let world: GistWorld;
  let observers: ObserverInTest[];
  let ways: StandIn[];

  beforeAll(async () => {
    const keyOf = (n: number) => writeVerifierKey(observer(`eye${n}.example/seen`, new Uint8Array(32).fill(n + 1)).key);
    ways = await Promise.all([0, 1, 2].map(() => startStandIn(() => 'cut')));
    const lines = ways.map(({ baseUrl }, n) => `observer eye${n} ${keyOf(n)} ${baseUrl}\n`);
    world = await startGistWorld({ env: { OBSERVERS: lines.join('') } });
    await world.bind(alice, GIST, 'alice');
    const env = (n: number) => ({
      env: { PUBLIC_URL: `https://eye${n}.example`, SEEN_KEY: `0${n + 1}`.repeat(32), LOG: 'off' },
    });
    observers = await Promise.all([0, 1, 2].map((n) => startObserver(world.app, new Map(world.gists), env(n))));
    await Promise.all(observers.map((one) => one.statements(avatar)));
    ways.forEach((way, n) =>
      way.handle(async ({ path, query }) => ({ json: (await observers[n]!.app.get(`${path}?${query}`)).body })),
    );
    await followNow(world);
  }, 120_000);
  afterAll(async () => {
    for (const one of [...observers, world, ...ways]) await one.close();
  });

  describePage('in a browser', (visit) => {
    const sentence = async (text: RegExp, sign: string) => {
      const seen = await visit(`${world.app.baseUrl}/p/github/alice`);
      const shown = seen.page.locator(`.checked-here.${sign}`).filter({ hasText: 'independent servers' }).first();
      await shown.waitFor();
      expect(await shown.innerText()).toMatch(text);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    };

    it('says how many saw the post, when, and who chose them', async () => {
      await sentence(
        /Seen by 3 of 3 independent servers, last .*\. Their signatures were checked here\. Whose they are, this server chose: eye0, eye1, eye2\./s,
        'ok',
      );
    });

    it('shows in red that a post is gone which its server calls valid', async () => {
      for (const one of observers.slice(0, 2)) {
        one.gists.delete(GIST);
        await until(async () => {
          await untilIdle(one);
          if (!(await feedOf(one))[0]!.seen) return true;
          await one.makeDue();
          return false;
        });
      }
      await followNow(world);

      await sentence(/For 2 of 3 independent servers it is not there/, 'failed');
    });
  });
});
