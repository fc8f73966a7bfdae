import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar } from '../support/avatar.js';
import { describePage } from './browser.js';
import { walletInPage } from './wallet-in-page.js';

const GIST = '0123456789abcdef0123456789abcdef';
const ELSEWHERE = 'You brought it to its end on your other device.';

describe('going on with another device', () => {
  let world: GistWorld;
  beforeAll(async () => {
    world = await startGistWorld({ env: { PLATFORMS: 'github,ethereum,solana' } });
  });
  afterAll(() => world.close());

  describePage('in a browser', (visit) => {
    const expected = [/status of 40[04]/];
    const keyOf = (name: string) => Buffer.from(anAvatar(name).privateKey).toString('hex');
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const unfold = (page: Page, name: string) => page.locator('summary').filter({ hasText: name }).click();
    /** The dark modules that are drawn, in rows. */
    const drawn = async (page: Page) => {
      const path = (await page.locator('.qr-code path').getAttribute('d'))!;
      return [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`);
    };
    const modulesOf = (text: string) =>
      encode(text, { ecc: 'M', border: 0 }).data.flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? `${x} ${y}` : [])),
      );
    /** Signs with the wallet of the page, and publishes. */
    const finish = async (page: Page, owner: string, login: string) => {
      await press(page, 'Test Wallet');
      await press(page, 'Sign this text');
      const content = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      world.gists.set(GIST, { login, accountId: 3, avatar: anAvatar(owner), content });
      await page.getByRole('textbox', { name: /Where is it/ }).fill(GIST);
      await press(page, 'I have published it: check');
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
    };

    it.each(['/a/', '/p/'])('draws a code that leads to the page: %s', async (view) => {
      const path = view === '/a/' ? `/a/${anAvatar('ann').key.compressed}` : '/p/github/ann';
      const seen = await visit(`${world.app.baseUrl}${path}`, { expected });
      const { page } = seen;
      await unfold(page, 'Show a code to scan');
      await page.getByRole('img', { name: 'Code to scan with a phone' }).waitFor();

      expect(await drawn(page)).toEqual(modulesOf(`${world.app.baseUrl}${path}`));
      expect(await seen.seriousProblems()).toEqual([]);
      // What is printed is the card alone.
      await page.emulateMedia({ media: 'print' });
      await page.locator('.code-card .qr-code').waitFor();
      expect(await page.locator('h1').isVisible()).toBe(false);
      await seen.close();
    });

    it('takes up on a phone what was begun at a desk, by an address without any key', async () => {
      const seen = await visit(`${world.app.baseUrl}/bind`, { expected, before: walletInPage(keyOf('ben')) });
      const { page } = seen;
      await page.getByRole('radio', { name: 'GitHub' }).check();
      await page.getByRole('textbox', { name: 'Your name on GitHub' }).fill('ben');
      await press(page, 'Continue');
      await page.waitForURL(/#.*step=key/);
      const address = page.url();
      expect(address).toBe(`${world.app.baseUrl}/bind#platform=github&identity=ben&step=key`);
      await unfold(page, 'Go on with your phone');
      await page.locator('.qr-code').waitFor();
      expect(await drawn(page)).toEqual(modulesOf(address));

      const before = walletInPage(keyOf('ben'));
      const phone = await visit(address, { expected, before, isPhone: true, width: 390, height: 844 });
      await phone.page.locator('.wanted').getByText('ben').waitFor();
      expect(await phone.page.getByText('Go on with your phone').isVisible()).toBe(false);
      await finish(phone.page, 'ben', 'ben');
      expect(phone.page.url()).toBe(`${world.app.baseUrl}/bind`);
      await phone.close();

      await page.getByText(ELSEWHERE).waitFor();
      expect(await page.getByRole('link', { name: 'See the connection' }).getAttribute('href')).toBe('/p/github/ben');
      await seen.close();
    });

    it('opens the apps of wallets on a phone by their links, goes on there to the end, and notices it', async () => {
      const phone = { expected, isPhone: true, width: 390, height: 844 };
      const seen = await visit(`${world.app.baseUrl}/bind?platform=github&identity=Cat`, phone);
      const { page } = seen;
      await press(page, 'Continue');
      await unfold(page, 'A wallet on this phone');
      await page.evaluate(`addEventListener('click', (event) => {
        if (event.target.closest?.('a')?.hostname !== location.hostname) event.preventDefault();
      }, true)`);
      const here = `${world.app.baseUrl}/bind?platform=github&identity=Cat#platform=github&identity=Cat&step=key`;
      const links = new Map<string, string>();
      for (const link of await page.locator('.wallets a').all()) {
        await link.click();
        links.set(await link.innerText(), (await link.getAttribute('href'))!);
      }
      const [escaped, origin] = [here, world.app.baseUrl].map(encodeURIComponent);
      expect(Object.fromEntries(links)).toEqual({
        'Open in MetaMask': `https://link.metamask.io/dapp/${here.replace('http://', '')}`,
        'Open in Coinbase Wallet': `https://go.cb-w.com/dapp?cb_url=${escaped}`,
        'Open in Phantom': `https://phantom.app/ul/browse/${escaped}?ref=${origin}`,
        'Open in Trust Wallet': `https://link.trustwallet.com/open_url?coin_id=60&url=${escaped}`,
      });
      expect(await seen.seriousProblems()).toEqual([]);

      const address = links.get('Open in MetaMask')!.replace('https://link.metamask.io/dapp/', 'http://');
      const app = await visit(address, { ...phone, before: walletInPage(keyOf('cat')) });
      await finish(app.page, 'cat', 'cat');
      await app.close();
      await page.getByText(ELSEWHERE).waitFor();
      await seen.close();
    });

    it.each([
      '#platform=github&identity=&step=key',
      '#platform=nothing&step=key',
      `#platform=github&identity=${'a'.repeat(2000)}`,
      '#%',
    ])('begins at the beginning where an address hands over nothing that can be taken up: %s', async (fragment) => {
      const seen = await visit(`${world.app.baseUrl}/bind${fragment}`, { expected });
      await seen.page.getByRole('heading', { name: 'What do you want to connect?' }).waitFor();
      await seen.close();
    });
  });
});
