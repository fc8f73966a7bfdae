import type { Page } from 'playwright-core';
import type { DraftState } from '@signet/sdk';
import { startPlatforms, type StandInPlatforms } from '../../scripts/demo/stand-in-platforms.mjs';
import { type RunningApp, startApp } from '../support/app.js';
import { leadingTo } from '../support/platform-addresses.js';
import { until } from '../support/until.js';
import { describePage } from './browser.js';
import { textIn } from './page-texts.js';
import { severalOf, withDraft, without, withSetAside } from '../../web/src/bind/several.js';
import { addAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.js';
import { walletInPage } from './wallet-in-page.js';

/** In the order in which the page offers them. */
const PLATFORMS = ['github', 'activitypub', 'twitter', 'dns', 'discord'];

describe('the list of several accounts', () => {
  it('is of a key only while something is there that this key has signed', () => {
    const open = severalOf(['github', 'dns'].map((platform) => ({ platform, identity: 'alice.example' })));
    const draft = { version: 1, uuid: 'one', platform: 'github', avatar: '0x02' } as DraftState;
    const signed = withDraft(open, draft);

    expect(signed.avatar).toBe('0x02');
    expect(withDraft(signed, null).avatar).toBeNull();
    expect(withSetAside(signed).avatar).toBe('0x02');
    expect(without(withSetAside(signed), 0)!.avatar).toBeNull();
  });
});

describe('several accounts in one go', () => {
  let platforms: StandInPlatforms;
  let running: RunningApp;
  beforeEach(async () => {
    platforms = await startPlatforms({ answersPublish: true });
    running = await startApp({
      transport: platforms.transport,
      env: { ...platforms.env, ...leadingTo(platforms.baseUrl) },
    });
  });
  afterEach(async () => {
    await running.close();
    await platforms.close();
  });

  describePage('in a browser', (visit) => {
    const address = () => `${running.baseUrl.replace('127.0.0.1', 'localhost')}/bind/several`;
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const current = (page: Page) => page.locator('.several > li[aria-current=step]');
    const stateOf = (page: Page, platform: string) =>
      page.locator('.several > li', { has: page.locator(`h2:has-text("${platform}")`) }).locator('.several-state');
    /** Ticks them, all five when absent, and writes the name on each. */
    const choose = async (page: Page, chosen = PLATFORMS) => {
      for (const platform of chosen) {
        await page.locator(`.tick-list > li:has(use[href$="#${platform}"]) input[type=checkbox]`).check();
        await page.locator(`input[name=${platform}]`).fill(platforms.describe(platform).identity);
      }
      await press(page, 'Continue');
    };
    const sign = (page: Page) => press(page, 'Sign this text');
    /** Does what the list says for the account at hand; with `isPublished` false it only says that it did. */
    const publish = async (page: Page, platform: string, isPublished = true) => {
      const text = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      const stored = await page.evaluate<string>('localStorage.getItem("signet-several")');
      const { avatar } = JSON.parse(stored) as { avatar: string };
      if (isPublished) platforms.publish(platform, text, avatar);
      const { location } = platforms.describe(platform);
      if (location !== undefined) await page.getByRole('textbox', { name: /Where is it/ }).fill(location);
      await press(page, 'I have published it: check');
      return avatar;
    };
    const touches = async (sensor: VirtualAuthenticator) =>
      (await sensor.credentials()).reduce((sum, { signCount }) => sum + signCount, 0);
    const chainOf = async (avatar: string) => {
      const { body } = await running.get(`/v1/proofchain?public_key=${avatar}`);
      return (body.proof_chain as { platform: string; signature: string; signature_payload: string }[]).map((link) => ({
        platform: link.platform,
        signature: link.signature,
        prev: (JSON.parse(link.signature_payload) as { prev: string | null }).prev,
      }));
    };

    it('binds five with five touches and no retyping, though one fails and the page is loaded anew', async () => {
      const seen = await visit(address(), { expected: [/status of 40[04]/] });
      const { page } = seen;
      const sensor = await addAuthenticator(page);
      await choose(page);
      await current(page).getByText('GitHub').first().waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await press(page, 'Make a key by fingerprint');
      await page.getByText('This is what you sign').waitFor();
      const before = await touches(sensor);
      await sign(page);
      await publish(page, 'github');
      await stateOf(page, 'GitHub').getByText('Connected').waitFor();
      // The second fails: nothing is there, and the third does not wait for it.
      await sign(page);
      await publish(page, 'activitypub', false);
      await page.getByText('Not there yet').waitFor();
      await press(page, 'Leave it for later, go on with the next');
      await sign(page);
      await page.getByRole('textbox', { name: 'Text to publish' }).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);

      await page.reload();
      expect(await stateOf(page, 'Fediverse').innerText()).toBe('Left for later');
      // What was signed before is still there; the key is named when something is signed next.
      const avatar = await publish(page, 'twitter');
      await press(page, 'Continue with this key');
      await sign(page);
      await publish(page, 'dns');
      await stateOf(page, 'DNS').getByText('Connected').waitFor();
      await sign(page);
      await publish(page, 'discord');
      await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
      await page.getByText('1 is left for later.').waitFor();
      expect(await seen.scrollsSideways()).toBe(false);
      expect(await seen.seriousProblems()).toEqual([]);
      await page.getByRole('button', { name: /^Do this now/ }).click();
      await sign(page);
      await publish(page, 'activitypub');
      await page.getByText('5 of 5 connected').waitFor();

      const links = await chainOf(avatar);
      expect(links.map(({ platform }) => platform)).toEqual(['github', 'twitter', 'dns', 'discord', 'activitypub']);
      // Each names the one before it.
      expect(links.map(({ prev }) => prev)).toEqual([null, ...links.slice(0, -1).map(({ signature }) => signature)]);
      // One for each account, and one for the text that was signed anew.
      expect((await touches(sensor)) - before).toBe(PLATFORMS.length + 1);
      expect(await page.evaluate('localStorage.getItem("signet-several")')).toBeNull();
      await seen.close();
    });

    it('names a name that its platform cannot have before anything is signed', async () => {
      const seen = await visit(address());
      const { page } = seen;
      await page.locator('.tick-list > li:has(use[href$="#github"]) input[type=checkbox]').check();
      await page.locator('input[name=github]').fill('no such name!');
      await press(page, 'Continue');

      await page.getByRole('alert').getByText('This cannot be a name on GitHub.').waitFor();
      // The button is below all names: the field that is wrong comes into sight by itself.
      await page.locator('input[name=github]:focus').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it('goes on with an account that another window has signed past, by a new text', async () => {
      const seen = await visit(address(), { expected: [/status of 40[04]/] });
      const { page } = seen;
      await addAuthenticator(page);
      await choose(page);
      await press(page, 'Make a key by fingerprint');
      await sign(page);
      const first = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      await page.getByRole('button', { name: /^Do this now: X/ }).click();
      await sign(page);
      await publish(page, 'twitter');
      await stateOf(page, 'X').getByText('Connected').waitFor();
      await page.getByRole('button', { name: /^Do this now: GitHub/ }).click();
      await sign(page);
      const second = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      await publish(page, 'github');
      await stateOf(page, 'GitHub').getByText('Connected').waitFor();

      expect(second).not.toBe(first);
      await seen.close();
    });

    it('takes nothing of what a wallet signs late, when another account is worked on', async () => {
      const before = walletInPage(Buffer.alloc(32, 31).toString('hex'));
      const seen = await visit(address(), { before, expected: [/status of 40[04]/] });
      const { page } = seen;
      await choose(page, ['github', 'twitter']);
      await press(page, 'Test Wallet');
      await page.getByText('This is what you sign').waitFor();
      await page.evaluate('void (__wallet.waits = new Promise((done) => { __wallet.answer = done; }))');
      await sign(page);
      await page.getByText('Look at Test Wallet: it asks you to sign.').waitFor();
      await press(page, 'Leave it for later, go on with the next');
      await page.getByText('This is what you sign').waitFor();
      const count = await page.evaluate<number>('__wallet.signed.length');
      await page.evaluate('__wallet.answer()');
      await until(async () => (await page.evaluate<number>('__wallet.signed.length')) > count);
      await page.evaluate('delete __wallet.waits');
      await sign(page);
      await publish(page, 'twitter');
      await stateOf(page, 'X').getByText('Connected').waitFor();
      await page.getByRole('button', { name: /^Do this now: GitHub/ }).click();
      await sign(page);
      const avatar = await publish(page, 'github');
      await page.getByText('2 of 2 connected').waitFor();

      expect((await chainOf(avatar)).map(({ platform }) => platform)).toEqual(['twitter', 'github']);
      await seen.close();
    });

    it('is one list in two windows', async () => {
      const seen = await visit(address(), { expected: [/status of 40[04]/] });
      const { page } = seen;
      await addAuthenticator(page);
      await choose(page, ['github', 'twitter']);
      const other = await page.context().newPage();
      await other.goto(address());
      await stateOf(other, 'X').getByText('Still to come').waitFor();
      await page.bringToFront();
      await press(page, 'Make a key by fingerprint');
      await sign(page);
      await publish(page, 'github');
      await stateOf(page, 'GitHub').getByText('Connected').waitFor();

      await stateOf(other, 'GitHub').getByText('Connected').waitFor();
      await press(other, 'Leave it for later');
      await stateOf(page, 'X').getByText('Left for later').waitFor();
      expect(await stateOf(page, 'GitHub').innerText()).toBe('Connected');
      await seen.close();
    });

    it('fits on a phone in each language', async () => {
      const seen = await visit(address(), { isPhone: true, width: 390, height: 844 });
      const { page } = seen;
      await page.locator('.tick-list input[type=checkbox]').first().check();
      for (const language of ['de', 'fr', 'es', 'pt', 'zh', 'ja', 'ko']) {
        await page.locator('.language select').selectOption(language);
        await page.locator(`html[lang|=${language}]`).waitFor();
        await page.getByRole('heading', { name: textIn(language, 'bind', 'several') }).waitFor();

        expect([language, await seen.scrollsSideways()]).toEqual([language, false]);
        expect([language, await seen.seriousProblems()]).toEqual([language, []]);
      }
      await seen.close();
    });
  });
});
