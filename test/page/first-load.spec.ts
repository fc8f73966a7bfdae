import { gzipSync } from 'node:zlib';
import type { Locator, Page, Response } from 'playwright-core';
import { until } from '../support/until.js';
import { GITHUB } from './scene.js';
import { describeScene } from './describe-scene.js';

const MAX_FIRST_LOAD_BYTES = 36_000;
/** Scripts that the document of a view may name, its texts included: two waves of six requests. */
const MAX_SCRIPTS_OF_A_VIEW = 12;
/** Milliseconds of the processor until the page can be used, on one that is four times slower. */
const MAX_START_MS = 1000;

/** What it costs to load the page, and how soon a look-up is answered. */
describeScene('the first load', (visit, world) => {
  it('loads at most 40 kB after gzip, and can be used within a second on a processor four times slower', async () => {
    const { scene } = world();
    const seen = await visit(`${scene.baseUrl}/nowhere`, { expected: [/404/] });
    const { page } = seen;
    // What the page before asked for is over: an answer that comes late would be counted, and has no body any more.
    await page.waitForLoadState('networkidle');
    const answers = new Map<string, Response>();
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'fetch') answers.set(new URL(response.url()).pathname, response);
    });
    // The page's own processor time, so that other work on this machine counts for nothing.
    const debug = await page.context().newCDPSession(page);
    await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
    const taskMs = async () => {
      const { metrics } = await debug.send('Performance.getMetrics');
      return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
    };

    const platforms = page.waitForResponse(/\/v1\/platforms$/);
    await page.goto(`${scene.baseUrl}/`);
    // The last thing that the page asks for by itself.
    await platforms;
    const spentMs = await taskMs();
    const sizeOf = async (answer: Response) => gzipSync(await answer.body(), { level: 9 }).length;
    const bytes = (await Promise.all([...answers.values()].map(sizeOf))).reduce((sum, size) => sum + size, 0);

    process.stderr.write(`The first load is ${bytes} bytes and ${Math.round(spentMs)} ms of the processor.\n`);
    // Browsers ask for six files at a time over HTTP/1.1: these come in one wave behind the document.
    expect([...answers.keys()].sort().join(' ')).toMatch(
      /^\/ \/assets\/en-\S+\.js \/assets\/rolldown-runtime-\S+\.js \/assets\/start-\S+\.js (\/favicon\.svg )?\/platform-icons\.svg$/,
    );
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
    expect(spentMs * 4).toBeLessThanOrEqual(MAX_START_MS);
    await seen.close();
  });

  it('is painted with its style by the document alone, before any other file has come', async () => {
    const { scene } = world();
    for (const path of ['/', '/bind', '/verify', '/nothing']) {
      const seen = await visit(`${scene.baseUrl}/nowhere`, { expected: [/./] });
      const { page } = seen;
      // Neither answered nor refused: what a slow connection looks like for as long as it takes.
      await page.route(
        (address) => address.toString() !== scene.baseUrl + path,
        () => {},
      );
      await page.goto(scene.baseUrl + path, { waitUntil: 'commit' });

      await until(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length === 1"));
      expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight")).toBe('650');
      expect(await page.evaluate("getComputedStyle(document.querySelector('header')).display")).toBe('flex');
      await seen.close();
    }
  });

  it('names at most twelve scripts in the document of each view', async () => {
    const { scene } = world();
    const views = [`/a/${scene.alice.avatar}`, `/p/github/${GITHUB}`, `/?q=${GITHUB}`];
    for (const path of [...views, '/bind', '/kv', '/verify', '/transparency', '/example']) {
      const html = await (await fetch(scene.baseUrl + path, { headers: { Accept: 'text/html' } })).text();
      const scripts = new Set(
        [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, address]) => address),
      );
      expect([path, scripts.size <= MAX_SCRIPTS_OF_A_VIEW, scripts.size]).toEqual([path, true, scripts.size]);
    }
  });

  it('answers look-ups with what their documents name alone, so within one further round trip', async () => {
    const { scene } = world();
    const lookUps: [string, (page: Page) => Locator[]][] = [
      // What the key has written and bound, with all signatures checked.
      [
        `/a/${scene.alice.avatar}`,
        (page) => [
          page.locator('.content > .checked-here.ok'),
          page.locator('.bindings .binding .checked-here.ok').nth(2),
        ],
      ],
      [`/p/ethereum/${scene.alice.address}`, (page) => [page.locator('.checked .checked-here.ok')]],
      [`/?q=${GITHUB}`, (page) => [page.locator('.found > li').nth(1)]],
    ];
    for (const [path, found] of lookUps) {
      const url = scene.baseUrl + path;
      const html = await (await fetch(url, { headers: { Accept: 'text/html', 'Accept-Language': 'en' } })).text();
      const named = [...html.matchAll(/<(?:link|script)\s[^>]*(?:href|src)="([^"]+)"/g)].map(([, address]) =>
        new URL(address!.replaceAll('&amp;', '&'), url).toString(),
      );
      const seen = await visit(`${scene.baseUrl}/nowhere`, { expected: [/./] });
      const { page } = seen;
      await page.route(
        (address) => ![url, ...named].includes(address.toString()),
        (route) => route.abort(),
      );

      await page.goto(url);
      for (const part of found(page)) await part.waitFor();

      // Header, menu and footer are painted before anything else has come.
      expect(html).toMatch(/<div id="page">.*<header.*<nav.*<footer/s);
      await seen.close();
    }
  });
});
