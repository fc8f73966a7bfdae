import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Visit } from './browser.js';
import { twins } from './shown.js';

/** CSS pixels: a phone, a tablet, a desk. */
const WIDTHS = [390, 768, 1280];
/** A desk at 400 % and at 200 % (WCAG 1.4.10 and 1.4.4), which are only measured. */
const ENLARGED = [320, 640];
const THEMES = ['light', 'dark'] as const;
const FOLDER = path.resolve('.cache/views');

/**
 * Takes pictures of a view as it is now, at each width by day and by night, in `.cache/views`, and says what is wrong
 * with it: what axe-core says (contrast, names, and so on), and what is wider than the window.
 * @param name of the files
 * @param widths all when absent
 */
export async function takePictures(seen: Visit, name: string, widths = WIDTHS): Promise<string[]> {
  const { page } = seen;
  const wrong: string[] = [];
  mkdirSync(FOLDER, { recursive: true });
  wrong.push(...(await twins(page)).map((one) => `${name} has several buttons of one name: ${one}`));
  for (const width of widths.length > 1 ? ENLARGED : []) {
    await page.setViewportSize({ width, height: 900 });
    if (await seen.scrollsSideways()) wrong.push(`${name} is wider than ${width} pixels.`);
  }
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      // Colours and places change over a moment.
      await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))');
      const bytes = await page.screenshot({ fullPage: true, animations: 'disabled' });
      writeFileSync(path.join(FOLDER, `${name}.${width}.${colorScheme}.png`), bytes);
      if (await seen.scrollsSideways()) wrong.push(`${name} is wider than ${width} pixels.`);
      if (width !== 768) wrong.push(...(await seen.seriousProblems()).map((one) => `${name}, ${colorScheme}: ${one}`));
    }
  }
  return wrong;
}
