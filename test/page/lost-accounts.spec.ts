import { until } from '../support/until.js';
import { describePage } from './browser.js';
import { aPerson, makeKey, NO_LOG, press, type RecoveryScene, startRecoveryScene } from './recovery-scene.js';
import { counts } from './shown.js';

describe('the door for somebody who has only accounts', () => {
  let scene: RecoveryScene;
  beforeAll(async () => {
    scene = await startRecoveryScene();
  });
  afterAll(() => scene?.close());

  describePage('in an empty browser', (visit) => {
    it('connects the same account with a new key, which the page of the old key then says', async () => {
      const alice = aPerson(61);
      await scene.bind(alice, 'github');
      await scene.bind(alice, 'activitypub');
      const seen = await visit(`${scene.baseUrl}/lost/accounts`, { expected: [/status of 40[04]/] });
      const { page } = seen;
      await page.getByLabel('Which key is it?').fill('alice-demo');
      await press(page, 'Continue');
      await page.locator('.found-keys button').click();
      await page.locator('.accounts-again').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await makeKey(page);
      await page.getByRole('heading', { name: 'Your key' }).waitFor();
      await page.locator('.accounts-again li', { hasText: 'alice-demo' }).getByRole('link').click();
      await press(page, 'Continue');
      const text = await page.getByRole('region', { name: 'This is what you sign' }).locator('pre').innerText();
      await press(page, 'Sign this text');
      const content = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      const file = await page.locator('.publish-step code.long').innerText();
      scene.platforms.publish('github', content, file.replace('.json', ''));
      await page.locator('input[name=location]').fill(scene.platforms.describe('github').location!);
      await press(page, 'I have published it: check');
      await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
      await page.goto(`${scene.baseUrl}/a/${alice.avatar}`);
      await page.getByText('1 of its 2 accounts is now connected to another key').waitFor();
      const holder = file.replace('.json', '');

      expect(text).toContain('alice-demo');
      // The word of the server, which changes nothing: the key has not moved, and its connections hold.
      await counts(page.locator('.server-says', { hasText: '1 of its 2 accounts' }).locator('a'), 1);
      await counts(page.locator('.server-says a', { hasText: holder.slice(0, 8) }), 1);
      expect(await page.locator('.key-banner').count()).toBe(0);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it('counts no account that only has the same name, with another stable id', async () => {
      const [bob, carol] = [aPerson(62), aPerson(63)];
      await scene.bind(bob, 'github');
      const second = Math.floor(Date.now() / 1000);
      // Times of bindings are whole seconds.
      await until(() => Promise.resolve(Math.floor(Date.now() / 1000) > second));
      await scene.bind(carol, 'github');
      const seen = await visit(`${scene.baseUrl}/a/${bob.avatar}`, { expected: [NO_LOG] });
      await seen.page.getByText('Its one account is now connected').waitFor();
      await seen.page.route('**/v1/proof/evidence?**', async (route) => {
        const response = await route.fetch();
        const evidence = (await response.json()) as { account_id: string };
        const isOld = route.request().url().includes(bob.avatar);
        await route.fulfill({ response, json: { ...evidence, account_id: isOld ? 'another' : evidence.account_id } });
      });
      let answered = 0;
      seen.page.on('requestfinished', (request) => void (answered += Number(request.url().includes('/evidence?'))));
      await seen.page.reload();
      await until(() => Promise.resolve(answered === 2));
      await seen.page.locator('.binding .checked-here.ok').waitFor();
      await seen.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');

      expect(await seen.page.getByText(/accounts? is now connected/).count()).toBe(0);
      await seen.close();
    });

    it.each([
      ['de', 'Ohne den Schlüssel und ohne einen Ersatzschlüssel'],
      ['ja', '鍵も復旧鍵もなければ'],
    ])('speaks %s', async (language, text) => {
      const seen = await visit(`${scene.baseUrl}/lost/accounts`, { language, width: 390 });

      await seen.page.getByText(text).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      expect(await seen.scrollsSideways()).toBe(false);
      await seen.close();
    });
  });
});
