import type { CDPSession, Locator, Page } from 'playwright-core';
import { type Gist, type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar } from '../support/avatar.js';
import { isLongRun } from '../support/tier.js';
import { textIn } from './page-texts.js';
import { until } from '../support/until.js';
import { describePage } from './browser.js';
import { addAuthenticator } from './virtual-authenticator.js';

const GIST = '0123456789abcdef0123456789abcdef';
const LANGUAGES = isLongRun ? ['en', 'de', 'ja'] : ['en'];
/** Slow 3G and a processor four times slower, as the tools of browsers have them; in `npm run test:long`. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const MAX_TAPS = 6;
const MAX_BYTES = 260_000;
const MAX_SECONDS = 60;
/** Words of the trade. Nobody should have to look one up on the way. */
const TRADE =
  /passkey|webauthn|\bprf\b|secp256k1|mnemonic|seed phrase|private key|public key|blockchain|\bhash\b|avatar|nonce|cryptograph/i;
const CONTROLS = ['button', 'link', 'textbox', 'radio', 'checkbox', 'combobox', 'DisclosureTriangle', 'searchbox'];

describe('a phone that has nothing', () => {
  let world: GistWorld;
  beforeAll(async () => {
    world = await startGistWorld({ env: { PLATFORMS: 'github,ethereum' } });
  });
  afterAll(() => world.close());

  describePage('in a browser', (visit) => {
    const expected = [/status of 40[04]/];
    const at = (path: string) => `${world.app.baseUrl.replace('127.0.0.1', 'localhost')}${path}`;
    /** Controls without a name, as a screen reader has them. */
    const namelessControls = async (debug: CDPSession) => {
      const { nodes } = await debug.send('Accessibility.getFullAXTree');
      const controls = nodes.filter(({ ignored, role }) => !ignored && CONTROLS.includes(String(role?.value)));
      expect(controls.length).toBeGreaterThan(5);
      return controls.filter(({ name }) => String(name?.value ?? '').trim() === '').map(({ role }) => role?.value);
    };
    /** What a person reads, without what is only to be copied. */
    const wordsOf = (page: Page) =>
      page.evaluate<string>(`(() => {
        const copy = document.querySelector('main').cloneNode(true);
        for (const part of copy.querySelectorAll('pre, code, textarea, details:not([open]), .only-read')) part.remove();
        return copy.textContent;
      })()`);
    /** What the first person publishes on GitHub, as the page asks it to. */
    const publish = async (page: Page, login: string) => {
      const content = await page.locator('.publish-step textarea').inputValue();
      const file = await page.locator('.publish-step code.long').innerText();
      const { key } = anAvatar('nobody');
      const compressed = file.replace('.json', '');
      world.gists.set(GIST, {
        login,
        accountId: 5,
        avatar: { key: { ...key, compressed } } as Gist['avatar'],
        content,
      });
      return compressed;
    };

    it.each(LANGUAGES)(
      'gets a bound account by fingerprint, and another phone sees it verified, in %s',
      async (language) => {
        const login = `walker-${language}`;
        const text = (area: string, key: string) => textIn(language, area, key);
        const look = { expected, language, isPhone: true, width: 390, height: 844 };
        const seen = await visit(at('/nowhere'), { ...look, expected: [...expected, /404/] });
        const { page } = seen;
        await addAuthenticator(page);
        const debug = await page.context().newCDPSession(page);
        await debug.send('Network.enable');
        await debug.send('Network.setCacheDisabled', { cacheDisabled: false });
        let [bytes, taps] = [0, 0];
        debug.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
        if (isLongRun) {
          await debug.send('Network.emulateNetworkConditions', SLOW);
          await debug.send('Emulation.setCPUThrottlingRate', { rate: 4 });
        }
        const tap = async (place: Locator) => {
          taps += 1;
          await place.tap();
        };
        const button = (key: string) => page.getByRole('button', { name: text('bind', key), exact: true });
        const isFine = async () => {
          expect(await seen.seriousProblems()).toEqual([]);
          expect(await seen.scrollsSideways()).toBe(false);
          expect(await namelessControls(debug)).toEqual([]);
          if (language === 'en') expect(await wordsOf(page)).not.toMatch(TRADE);
        };
        let spentMs = 0;
        /** A part of the walk, whose time counts; what is looked at in between does not. */
        const timed = async (part: () => Promise<void>) => {
          const start = Date.now();
          await part();
          spentMs += Date.now() - start;
          await isFine();
        };

        await timed(async () => {
          await page.goto(at('/'));
          await tap(page.getByRole('link', { name: text('look', 'begin_github') }));
          await page.locator('input[name=identity]').fill(login);
        });
        await timed(async () => {
          await tap(button('go_on'));
          await button('make_passkey').waitFor();
        });
        await timed(async () => {
          await tap(button('make_passkey'));
          await button('sign_this').waitFor();
        });
        await timed(async () => {
          await tap(button('sign_this'));
          await page.locator('.publish-step code.long').waitFor();
        });
        const avatar = await publish(page, login);
        await timed(async () => {
          await page.locator('input[name=location]').fill(`https://gist.github.com/${login}/${GIST}`);
          await tap(button('published'));
          await page.getByRole('heading', { name: text('bind', 'done'), exact: true }).waitFor();
          // What it ends with is the link to send.
          await page.locator('.code-card .qr-code').waitFor();
        });

        const other = await visit(at(`/p/github/${login}`), look);
        await other.page.locator('.checked .checked-here.ok').first().waitFor();
        const { body } = await world.app.get(`/v1/proof?platform=github&identity=${login}&exact=true`);
        expect([body.ids[0].avatar, body.ids[0].proofs[0].is_valid]).toEqual([avatar, true]);
        await other.close();
        const seconds = spentMs / 1000;
        process.stderr.write(
          `From nothing to a bound account (${language}): ${seconds.toFixed(1)} s, ${taps} taps, ${bytes} bytes.\n`,
        );
        expect(taps).toBeLessThanOrEqual(MAX_TAPS);
        expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
        expect(seconds).toBeLessThanOrEqual(MAX_SECONDS);
        await seen.close();
      },
    );

    it.each(LANGUAGES)('is walked by keyboard alone, too, in %s', async (language) => {
      const text = (area: string, key: string) => textIn(language, area, key);
      const login = `keys-${language}`;
      const seen = await visit(at(`/bind?platform=github&identity=${login}`), { expected, language });
      const { page } = seen;
      await addAuthenticator(page);
      const tabTo = async (name: string) => {
        for (let steps = 0; steps < 60; steps++) {
          await page.keyboard.press('Tab');
          if ((await page.evaluate<string>('document.activeElement.innerText ?? ""')) === name) return;
        }
        throw new Error(`Nothing called ${name} is reached by Tab.`);
      };
      for (const key of ['go_on', 'make_passkey', 'sign_this']) {
        await page.getByRole('button', { name: text('bind', key), exact: true }).waitFor();
        await tabTo(text('bind', key));
        await page.keyboard.press('Enter');
      }

      await page.getByRole('textbox', { name: text('bind', 'text_to_publish') }).waitFor();
      await page.locator('.publish-step code.long').waitFor();
      await publish(page, login);
      await tabTo(text('bind', 'open_platform').replace('{platform}', 'GitHub'));
      await page.keyboard.press('Tab');
      await page.keyboard.type(`https://gist.github.com/${login}/${GIST}`);
      await page.keyboard.press('Enter');
      const done = text('bind', 'done');
      await page.getByRole('heading', { name: done, exact: true }).waitFor();
      // People who do not look at the page hear where they are, and find what comes next.
      await until(async () => (await page.evaluate<string>('document.activeElement.textContent')) === done);
      await tabTo(text('look', 'copy_link'));
      await tabTo(text('bind', 'add_name'));
      await page.keyboard.press('Enter');
      await page.getByLabel(text('kv', 'profile_name'), { exact: true }).waitFor();
      await seen.close();
    });
  });
});
