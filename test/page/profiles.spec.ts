import { startPlatforms, type StandInPlatforms } from '../../scripts/demo/stand-in-platforms.mjs';
import { PROFILE_PLATFORMS } from '../../scripts/demo/profile-texts.mjs';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { leadingTo } from '../support/platform-addresses.js';
import { describePage } from './browser.js';
import { textIn } from './page-texts.js';
import { walletInPage } from './wallet-in-page.js';

const alice = anAvatar('alice');
/** A part of what the page says of each, in one of its languages. */
const WALKS: [platform: string, language: string][] = [
  ['hackernews', 'en'],
  ['lobsters', 'ja'],
  ['forgejo', 'de'],
  ['gitlab', 'es'],
  ['discourse', 'fr'],
  ['orcid', 'ko'],
  ['website', 'pt'],
  ['steam', 'zh'],
];

describe('accounts by a text of a profile, of a project or of a website', () => {
  let platforms: StandInPlatforms;
  let running: RunningApp;
  beforeAll(async () => {
    platforms = await startPlatforms();
    running = await startApp({
      transport: platforms.transport,
      env: { ...platforms.env, ...leadingTo(platforms.baseUrl), LOG: 'off' },
    });
  });
  afterAll(async () => {
    await running?.close();
    await platforms?.close();
  });

  it('are all bound in the page', () => {
    expect(WALKS.map(([platform]) => platform).sort()).toEqual(Object.keys(PROFILE_PLATFORMS).sort());
  });

  describePage('in a browser', (visit) => {
    it.each(WALKS)('are bound on %s, in %s', async (platform, language) => {
      const say = (key: string) => textIn(language, 'bind', key);
      const { identity, location } = platforms.describe(platform);
      const seen = await visit(`${running.baseUrl}/bind?platform=${platform}`, {
        ...{ language, before: walletInPage(Buffer.from(alice.privateKey).toString('hex')) },
        expected: [/status of 40[04]/],
      });
      const { page } = seen;
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.locator('input[name=identity]').fill(identity);
      await press(say('go_on'));
      await page.getByRole('button', { name: 'Test Wallet' }).click();
      await press(say('sign_this'));
      const steps = page.locator('.platform-steps');
      await steps.getByText(say(`how_${platform}`).split('{')[0]!).waitFor();
      const text = page.getByRole('textbox', { name: say('text_to_publish') });
      platforms.publish(platform, await text.inputValue(), alice.key.compressed);
      if (location !== undefined) await page.locator('input[name=location]').fill(location);
      await press(say('published'));
      await page.getByRole('heading', { name: say('done'), exact: true }).waitFor();

      const query = new URLSearchParams({ platform, identity, public_key: alice.key.compressed }).toString();
      expect((await running.get(`/v1/proof/exists?${query}`)).body).toMatchObject({ is_valid: true });
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it('are bound by a page in whose head only links can be set, and shown as that', async () => {
      const say = (key: string) => textIn('en', 'bind', key);
      const { identity } = platforms.describe('website');
      const { page, seriousProblems, close } = await visit(`${running.baseUrl}/bind?platform=website`, {
        before: walletInPage(Buffer.from(alice.privateKey).toString('hex')),
        // There is no log.
        expected: [/status of 404 .*\/v1\/log\)/],
      });
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.locator('input[name=identity]').fill(identity);
      await press(say('go_on'));
      await page.getByRole('button', { name: 'Test Wallet' }).click();
      await press(say('sign_this'));
      const text = page.getByRole('textbox', { name: say('text_to_publish') });
      await text.waitFor();
      expect(await text.inputValue()).toContain('"signature"');
      await page.getByRole('checkbox', { name: say('rel_me') }).check();
      const element = `<link rel="me" href="${running.baseUrl}/a/${alice.key.compressed}">`;
      await expect(text.inputValue()).resolves.toBe(element);
      await page.getByText(say('rel_me_how')).waitFor();
      expect(await seriousProblems()).toEqual([]);
      // What was chosen is kept.
      await page.reload();
      await text.waitFor();
      await expect(text.inputValue()).resolves.toBe(element);
      platforms.publish('website', element, alice.key.compressed);
      await press(say('published'));
      await page.getByRole('heading', { name: say('done'), exact: true }).waitFor();

      await page.goto(`${running.baseUrl}/a/${alice.key.compressed}`);
      const binding = page.locator('.binding', { hasText: identity });
      await binding.getByText(textIn('en', 'look', 'points_to_key')).waitFor();
      await close();
    });
  });
});
