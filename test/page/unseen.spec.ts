import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { describePage } from './browser.js';

/** A name that .bit allows, with a letter that no font draws. */
const NAME = 'ali\u3164ce.bit';

describe('names with what cannot be seen', () => {
  let running: RunningApp;
  const alice = anAvatar('alice');
  const wallet = aWallet('alice');
  beforeAll(async () => {
    running = await startApp();
    await linkWallet(running, alice, wallet);
    await writeKv(running, alice, { 'pay\u202eecila': 'bob\u2066.example\nsecond line', profile: { name: 'Alice' } });
  });
  afterAll(() => running.close());

  const text = async (path: string) =>
    (await fetch(`${running.baseUrl}${path}`, { headers: { accept: 'text/html' } })).text();

  it('are shown by code points in previews, badges and feeds', async () => {
    const name = encodeURIComponent(NAME);

    expect(await text(`/p/dotbit/${name}`)).toContain('og:title" content="ali⟨U+3164⟩ce.bit on dotbit');
    expect(await text(`/badge/dotbit/${name}.svg`)).toContain('>ali⟨U+3164⟩ce.bit</text>');
    expect(await text(`/p/dotbit/${name}.atom`)).toContain('news of ali⟨U+3164⟩ce.bit on dotbit');
    expect(await text(`/embed/dotbit/${name}`)).toContain('<title>ali⟨U+3164⟩ce.bit on dotbit');
  });

  describePage('on the page', (visit) => {
    it('are shown by code points, and isolated', async () => {
      const seen = await visit(`${running.baseUrl}/p/dotbit/${encodeURIComponent(NAME)}`);
      const { page } = seen;
      const heading = page.locator('h1 bdi');

      expect(await heading.innerText()).toBe('aliU+3164ce.bit');
      expect(await heading.locator('.unseen').innerText()).toBe('U+3164');
      await page.getByText('U+3164 (Hangul)').waitFor();
      expect(await page.title()).toBe('ali⟨U+3164⟩ce.bit · .bit · Signet');
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it.each(['/a/', '/kv/'])('are so in content that anybody can write, whose lines stay lines: %s', async (view) => {
      const seen = await visit(`${running.baseUrl}${view}${alice.key.compressed}`);
      const list = seen.page.locator('.value-list').first();

      expect(await list.locator('dt bdi').first().innerText()).toBe('payU+202Eecila');
      expect(await list.locator('dd bdi').first().innerText()).toMatch(/^bobU\+2066\.example\s+second line$/);
      // Nothing that turns text is left anywhere.
      expect(await seen.page.locator('main').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      await seen.close();
    });
  });
});
