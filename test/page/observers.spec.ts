import { type BelievedObservers, followNow, startBelievedObservers, untilSays } from '../observer/observer-world.js';
import { anAvatar } from '../support/avatar.js';
import { describePage } from './browser.js';

const alice = anAvatar('alice');
const GIST = '1'.repeat(32);

describe('a page of a server that shows what others saw', () => {
  let three: BelievedObservers;

  beforeAll(async () => {
    three = await startBelievedObservers(alice, GIST);
    await followNow(three.world);
  });
  afterAll(() => three.close());

  describePage('in a browser', (visit) => {
    const sentence = async (text: RegExp, sign: string) => {
      const seen = await visit(`${three.world.app.baseUrl}/p/github/alice`);
      const shown = seen.page.locator(`.checked-here.${sign}`).filter({ hasText: 'Independent servers' }).first();
      await shown.waitFor();
      expect(await shown.innerText()).toMatch(text);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    };

    it('says how many saw the post, when, and who chose them', async () => {
      await sentence(
        /Independent servers that saw it: 3 of 3, last .*\. Their signatures were checked here\. Whose they are, this server chose: eye0, eye1, eye2\./s,
        'ok',
      );
    });

    it('shows in red that a post is gone which its server calls valid', async () => {
      for (const one of three.observers.slice(0, 2)) {
        one.gists.delete(GIST);
        await untilSays(one, false);
      }
      await followNow(three.world);

      await sentence(/Independent servers for which it is not there: 2 of 3/, 'failed');
    });
  });
});
