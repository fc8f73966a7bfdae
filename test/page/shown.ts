/** What a view shows is waited for: it comes piece by piece, as answers and parts of the page arrive. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.js';

/** Waits until there are so many of something. */
export async function counts(what: Locator, wanted: number): Promise<void> {
  await until(async () => (await what.count()) === wanted);
}

/** The twelve words of a new key, which are shown once the list of words has loaded. */
export async function shownWords(page: Page): Promise<string[]> {
  const words = page.locator('.words li');
  await words.nth(11).waitFor();
  return words.allInnerTexts();
}

/** Buttons that people who do not see the page cannot tell apart: of one name and one description. */
export function twins(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const names = [...document.querySelectorAll('button')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => [
        one.getAttribute('aria-label') ?? one.innerText.trim(),
        document.getElementById(one.getAttribute('aria-describedby') ?? '')?.innerText ?? '',
      ].join(' '));
    return [...new Set(names.filter((name, place) => names.indexOf(name) !== place))];
  })()`);
}

/** Opens a view anew without loading the page again: everything that it shows is read and checked again. */
export async function openWithin(page: Page, path: string): Promise<void> {
  const move = (to: string) =>
    page.evaluate(`history.pushState(null, '', '${to}'); dispatchEvent(new Event('popstate'))`);
  await move('/verify');
  await page.locator('.drop-zone').waitFor();
  await move(path);
}
