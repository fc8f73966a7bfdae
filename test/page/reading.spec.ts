import type { Page } from 'playwright-core';
import { shownLines } from '../../web/src/parts/card-lines.js';
import { type RunningApp, startApp } from '../support/app.js';
import { describePage } from './browser.js';

it('a card names as many accounts as it has room for, and how many others there are', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7'];

  expect([shownLines(lines.slice(0, 5)), shownLines(lines)]).toEqual([lines.slice(0, 5), ['1', '2', '3', '4', '+ 3']]);
});

describe('the page, for people who read it in another way', () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp();
  });
  afterAll(() => running.close());

  describePage('in a browser', (visit) => {
    const open = (path: string) => visit(running.baseUrl + path, { expected: [/status of 404/] });
    const styleOf = (page: Page, selector: string, property: string, part = '') =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), '${part}').${property}`,
      );
    /** What stops the Tab key in the head of the page, by the rows that people see. */
    const stopsOfHead = async (page: Page) => {
      const stops: { name: string; x: number; y: number }[] = [];
      await page.locator('.skip').focus();
      for (;;) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate<{ name: string; x: number; y: number } | null>(`(() => {
          const one = document.activeElement;
          const { left: x, top: y } = one.getBoundingClientRect();
          return one.closest('.frame-header') && { name: one.innerText || one.localName, x, y: Math.round(y / 20) };
        })()`);
        if (stop === null) return stops;
        stops.push(stop);
      }
    };

    it('cuts no name, scrolls one way, goes by Tab as by eye, and moves nothing, from 320 pixels on', async () => {
      const seen = await open('/');
      const { page } = seen;
      const cut: string[] = [];
      for (const width of [320, 360, 390, 640, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        cut.push(
          ...(await page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
            .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth)
            .map((one) => '${width}: ' + one.textContent)`)),
        );
        if (await seen.scrollsSideways()) cut.push(`${width} pixels`);
      }
      expect(cut).toEqual([]);

      for (const width of [640, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const stops = await stopsOfHead(page);
        expect(stops.length).toBe(7);
        expect(stops).toEqual(stops.toSorted((one, other) => one.y - other.y || one.x - other.x));
      }

      const moving = () => page.evaluate<number>('document.getAnimations().length');
      expect(await moving()).toBe(0);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      expect(await moving()).toBeGreaterThan(0);
      await seen.close();
    });

    it('says in forced colours, too, what comes next, where one is, and what is apart', async () => {
      const seen = await open('/bind?platform=github');
      const { page } = seen;
      await page.emulateMedia({ forcedColors: 'active' });
      await page.locator('input[name=identity]').waitFor();
      const colourOf = (name: string) =>
        page.evaluate<string>(`(() => {
          const probe = document.body.appendChild(document.createElement('p'));
          probe.style.color = '${name}';
          const { color } = getComputedStyle(probe);
          probe.remove();
          return color;
        })()`);
      const groundOf = (selector: string, part = '') => styleOf(page, selector, 'backgroundColor', part);

      expect(await groundOf('button.primary')).toBe(await colourOf('Highlight'));
      expect(await groundOf('.progress li[aria-current]', '::before')).toBe(await colourOf('Highlight'));
      expect(await seen.seriousProblems()).toEqual([]);
      // A name that is not wrong leaves no gap behind its field.
      const foot = (await page.locator('input[name=identity]').boundingBox())!;
      const next = (await page.getByText('What comes next on this platform').boundingBox())!;
      expect(next.y - foot.y - foot.height).toBeLessThan(24);

      await page.goto(`${running.baseUrl}/example`);
      await page.locator('.chain > li').first().waitFor();
      const border = [
        await styleOf(page, '.caution', 'borderTopWidth'),
        await styleOf(page, '.caution', 'borderTopColor'),
      ];
      expect(border).toEqual(['1px', await colourOf('CanvasText')]);
      expect(await groundOf('.chain > li', '::before')).toBe(await colourOf('CanvasText'));
      await seen.close();
    });
  });
});
