import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { type RunningApp, startApp } from '../support/app.js';
import { describePage } from './browser.js';
import { addAuthenticator } from './virtual-authenticator.js';
import { shownWords } from './shown.js';

/** White modules around a code, and the pixels of a card: web/src/parts/card-picture.ts. */
const CODE = { quiet: 4, side: 300, left: 1200 - 72 - 300, top: 72 };

describe('what comes behind a connection', () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp();
  });
  afterAll(() => running.close());

  describePage('in a browser', (visit) => {
    const at = (path: string) => `${running.baseUrl.replace('127.0.0.1', 'localhost')}${path}`;
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const bindOwnAddress = async (page: Page) => {
      await page.getByRole('button', { name: /Connect the address of this key/ }).click();
      await press(page, 'Sign this text');
      await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
    };
    const saved = async (page: Page, button: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    /** Which modules of the code on a card are dark. */
    const modulesOn = (page: Page, png: Buffer, size: number) =>
      page.evaluate<{ sides: number[]; rows: boolean[][] }>(`(async () => {
        const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
        context.drawImage(picture, 0, 0);
        const pixels = Math.floor(${CODE.side} / ${size});
        const start = (${CODE.side} - pixels * ${size}) / 2 + pixels / 2;
        const isDark = (x, y) =>
          context.getImageData(${CODE.left} + start + x * pixels, ${CODE.top} + start + y * pixels, 1, 1).data[0] < 128;
        const places = Array.from({ length: ${size} }, (_, place) => place);
        return { sides: [picture.width, picture.height], rows: places.map((y) => places.map((x) => isDark(x, y))) };
      })()`);
    const visibilityOf = (page: Page, selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).visibility`);

    it('is the link to send, with a card as a picture, and the way to name and picture', async () => {
      const seen = await visit(at('/bind?platform=ethereum'), { expected: [/status of 40[04]/] });
      const { page } = seen;
      await addAuthenticator(page);
      // What the device can do is asked once.
      await page.reload();
      await press(page, 'Make a key by fingerprint');
      await bindOwnAddress(page);
      await page.getByRole('img', { name: 'Code to scan with a phone' }).waitFor();
      const href = await page.getByRole('link', { name: 'See the key' }).getAttribute('href');
      const address = at(href!);
      expect(await page.locator('.code-card').innerText()).toContain(address);
      expect(await seen.seriousProblems()).toEqual([]);
      const { name, bytes } = await saved(page, 'Save as a picture');
      const { data, size } = encode(address, { ecc: 'M', border: CODE.quiet });
      const drawn = await modulesOn(page, bytes, size);

      expect([name, drawn.sides]).toEqual(['signet.png', [1200, 630]]);
      // Mastodon gives no tick for a wallet.
      await page.getByText('Once your Mastodon account belongs to this key too').waitFor();
      expect(drawn.rows).toEqual(data);
      // The key is still in use, so the form is there at once.
      await page.getByRole('link', { name: 'Add your name and picture' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Alice Demo');
      await page.getByRole('button', { name: 'Sign and write' }).click();
      await press(page, 'Sign this text');
      await page.locator('.value-list').getByText('Alice Demo').waitFor();
      const html = await (
        await fetch(address.replace('localhost', '127.0.0.1'), { headers: { accept: 'text/html' } })
      ).text();
      expect(html).toMatch(/og:title" content="“Alice Demo” · key 0x[0-9a-f]{6}….{4} · Signet"/);
      await seen.close();
    });

    it('prints and saves the words of a new key, as long as the page is open', async () => {
      const seen = await visit(at('/bind?platform=ethereum'), { expected: [/status of 40[04]/] });
      const { page } = seen;
      await press(page, 'Make a key');
      const words = await shownWords(page);
      await press(page, 'I have written them down');
      for (const label of await page.locator('.asked-words label').all()) {
        await label.locator('input').fill(words[Number(/\d+/.exec(await label.innerText())![0]) - 1]!);
      }
      for (const field of await page.locator('input[type=password]').all()) await field.fill('correct horse battery');
      await press(page, 'Keep and use this key');
      await bindOwnAddress(page);
      const { name, bytes } = await saved(page, 'Save as a file');

      expect(name).toBe('signet-words.txt');
      expect(bytes.toString()).toContain(words.map((word, place) => `${place + 1}. ${word}`).join('\n'));
      // What is printed is the sheet alone, which the screen does not show.
      expect(await page.locator('.kept-words').count()).toBe(0);
      await page.evaluate('globalThis.print = () => {}');
      await press(page, 'Print the words');
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.kept-words').innerText()).toContain(words[11]!);
      expect([await visibilityOf(page, 'h1'), await visibilityOf(page, '.code-card strong')]).toEqual([
        'hidden',
        'hidden',
      ]);
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      // Nor does the document have the words any longer than that takes.
      await page.locator('.kept-words').waitFor({ state: 'detached' });
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });
  });
});
