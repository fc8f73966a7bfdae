import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { type RunningApp, startApp } from '../support/app.js';
import { rawGetBytes, sendRaw } from '../support/raw-http.js';
import { describePage } from './browser.js';
import { BUILT, builtFile } from './built-page.js';
import { counts } from './shown.js';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the page for people', () => {
  let running: RunningApp;
  let document: string;
  beforeAll(async () => {
    running = await startApp();
    document = await (await fetch(`${running.baseUrl}/`, { headers: HTML })).text();
  });
  afterAll(() => running.close());

  const open = (path: string, headers: Record<string, string> = HTML) =>
    fetch(`${running.baseUrl}${path}`, { headers });
  const assets = () => [...document.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);

  it.each([
    ['/', 'no-cache'],
    ['/a/0x02ab', 'no-cache'],
    ['/p/github/alice', 'no-store'],
    ['/p/activitypub/alice%40social.example', 'no-cache'],
  ])('is at %s', async (path, caching) => {
    const response = await open(path);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe(caching);
    expect(await response.text()).toContain('<div id="page">');
  });

  it.each([
    ['/', 'Who is behind a name?', 'Start with your GitHub account'],
    ['/bind', 'Connect an account', 'Mastodon and others'],
    ['/example', 'Alice Example', 'This person is made up'],
    ['/verify', 'Check a file', 'Drop the file here, or choose it'],
    ['/kv', 'Profile', 'Only your key can change it'],
    ['/transparency', 'log', 'log'],
  ])('holds the view of %s already, readable without a script', async (path, title, text) => {
    const html = await (await open(path)).text();

    expect(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]).toContain(title);
    expect(html).toContain(text);
    expect(html).not.toMatch(/Loading|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/);
    const named = [...html.matchAll(/rel="modulepreload" crossorigin href="([^"]+)"/g)].map((match) => match[1]!);
    for (const address of named) expect([address, (await open(address)).status]).toEqual([address, 200]);
  });

  it.each([
    ['alice', ['/v1/platforms', '/v1/proof?identity=alice&exact=true&page=1', '/v1/proof?identity=alice&page=1']],
    ['github:alice', ['/v1/platforms']],
    ['a"><script>', ['/v1/platforms']],
  ])('names the answers that a search for %s begins with', async (text, answers) => {
    const html = await (await open(`/?q=${encodeURIComponent(text)}`)).text();
    const named = [...html.matchAll(/rel="preload" as="fetch" crossorigin="anonymous" href="([^"]+)"/g)];

    expect(named.map(([, address]) => address!.replaceAll('&amp;', '&'))).toEqual(answers);
    expect(html).not.toContain('<script>');
  });

  it.each([
    ['de-CH, fr;q=0.5', 'de', 'Wer steht hinter einem Namen?'],
    ['xx, ja;q=0.2, ko;q=0.8', 'ko', ''],
    ['xx', 'en', 'Who is behind a name?'],
    ['fr;q=0, *', 'en', 'Who is behind a name?'],
    ['__proto__, constructor', 'en', 'Who is behind a name?'],
  ])('is written for a browser that asks for "%s" in %s', async (accepted, language, title) => {
    const response = await open('/', { ...HTML, 'Accept-Language': accepted });
    const html = await response.text();

    expect(response.headers.get('vary')).toContain('Accept-Language');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(title);
    // What a browser without JavaScript shows first is in the language too.
    const [, notice] = /<noscript>\s*<p class="no-script">([^<]+)<\/p>\s*<\/noscript>\s*<div id="page">/.exec(html)!;
    expect(notice).toContain('JavaScript');
    expect(notice!.startsWith('This page')).toBe(language === 'en');
  });

  it('offers in the document no platform that this server cannot check', async () => {
    const platforms = [...(await (await open('/bind')).text()).matchAll(/data-platform="(\w+)"/g)].map(
      (match) => match[1]!,
    );
    const { body } = await running.get('/v1/platforms');
    const available = body.platforms.filter((one: { is_available: boolean }) => one.is_available);

    expect(platforms[0]).toBe('github');
    expect(platforms.sort()).toEqual(available.map(({ platform }: { platform: string }) => platform).sort());
    expect(available.length).toBeLessThan(body.platforms.length);
    const named = await (await open('/bind?platform=dns')).text();
    expect([...named.matchAll(/data-platform="(\w+)"/g)].map((match) => match[1])).toEqual(['dns']);
  });

  it('leads people from an address that is none to a page with the menu, and programs to JSON', async () => {
    for (const path of ['/nothing', '/v1/nothing', '/admin', '/log/nothing', '/a']) {
      const response = await open(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await response.text()).toMatch(/There is no such page.*|<a href="\/bind"/s);
      const answer = await open(path, { Accept: '*/*' });
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
    }
    expect((await open('/v1/proof/payload')).status).toBe(405);
    const posted = await fetch(`${running.baseUrl}/nothing`, { method: 'POST', headers: HTML });
    expect([posted.status, await posted.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it.each([
    ['/log', '/transparency'],
    ['/content', '/kv'],
    ['/profile/', '/kv'],
  ])('leads people who typed %s to %s', async (path, view) => {
    const headers = { ...HTML };
    const response = await fetch(`${running.baseUrl}${path}`, { headers, redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([302, view]);
    expect((await open(path, { Accept: 'application/json' })).status).toBe(404);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no host that a request names', {}, "'self'"],
    ['the address of PUBLIC_URL', { PUBLIC_URL: 'https://id.example.org' }, "'self' https://id.example.org"],
  ])('names in the policy of the frame for looks %s', async (_what, env, own) => {
    const other = await startApp({ env });
    const request = 'GET /look-frame HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    const { headers, text } = await sendRaw(other.baseUrl, request).finally(() => other.close());

    expect(JSON.stringify(headers) + text).not.toContain('evil.example');
    expect(headers['content-security-policy']).toContain(`script-src ${own};`);
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${own};`);
  });

  it('allows scripts, images and calls of its own origin, the one style in the document and nothing else', async () => {
    const response = await open('/');
    const policy = response.headers.get('content-security-policy')!.split('; ');
    const style = /<style>(.*?)<\/style>/s.exec(await response.text())![1]!;

    expect(policy.sort()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "frame-src 'self'",
        "require-trusted-types-for 'script'",
        'trusted-types worker',
      ].sort(),
    );
  });

  it('has no console where no admin token is set', async () => {
    expect((await open('/console')).status).toBe(404);
  });

  it('has no script within the document, one style sheet, and no style of single elements', () => {
    expect(document).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(document.match(/<style/g)).toHaveLength(1);
    expect(document).not.toMatch(/rel="stylesheet"|\sstyle=|\son\w+=/);
  });

  it('lets files whose names hold a hash be kept for a year, and others for minutes', async () => {
    expect(assets().length).toBeGreaterThan(1);
    for (const address of assets()) {
      const response = await open(address);
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect((await open('/favicon.svg')).headers.get('cache-control')).toBe('public, max-age=300');
  });

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=1.0, br;q=0', gunzipSync],
  ])('is sent as %s to a browser that accepts %s', async (encoding, accepted, decompress) => {
    const [script] = assets();
    // `fetch` decodes by itself, and takes the same answer apart below.
    const plain = await (await open(script!, { 'Accept-Encoding': 'identity' })).text();
    const { headers, body } = await rawGetBytes(`${running.baseUrl}${script}`, accepted);

    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['vary']).toContain('Accept-Encoding');
    expect(decompress(body).toString()).toBe(plain);
  });

  it('is not there when WEB is off; a short list says what this is, what it can check and where to go on', async () => {
    const env = { WEB: 'off', SERVICE_NAME: 'acme-id', PLATFORMS: 'ethereum,dns', ABUSE_CONTACT: 'abuse@example.org' };
    const plain = await startApp({ env });
    try {
      const front = await fetch(`${plain.baseUrl}/`, { headers: HTML });
      const list = await front.text();
      expect(front.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(list).toContain('acme-id');
      const platforms = [...list.matchAll(/<li><code>(\w+)<\/code><\/li>/g)].map((match) => match[1]);
      expect(platforms.sort()).toEqual(['dns', 'ethereum']);
      const [report, ...links] = [...list.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!).reverse();
      expect([report, links.length]).toEqual(['mailto:abuse@example.org', 4]);
      const { links: named } = (await (await fetch(`${plain.baseUrl}/`)).json()) as { links: Record<string, string> };
      expect(named['report_abuse']).toBe(report);
      for (const link of links) expect((await fetch(new URL(link, plain.baseUrl))).status).toBe(200);
      expect((await fetch(`${plain.baseUrl}/a/0x02ab`, { headers: HTML })).status).toBe(404);
      expect((await fetch(`${plain.baseUrl}${assets()[0]}`)).status).toBe(404);
    } finally {
      await plain.close();
    }
  });

  describePage('in a browser', (visit) => {
    it('shows its search field, without a complaint of the browser', async () => {
      const seen = await visit(`${running.baseUrl}/`);

      await seen.page.getByRole('searchbox').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it.each(['/', '/bind', '/kv', '/verify', '/nothing'])(
      'takes the elements of the document over: %s',
      async (path) => {
        const before = `globalThis.__shown = [];
        new MutationObserver(() => {
          const title = document.querySelector('main h1, main h2');
          if (title && !__shown.includes(title)) __shown.push(title);
        }).observe(document, { subtree: true, childList: true });`;
        const seen = await visit(`${running.baseUrl}${path}`, { before, language: 'fr', expected: [/status of 404/] });
        // The switch works once the scripts have run.
        await seen.page.getByRole('combobox').selectOption('en');
        await seen.page.getByRole('combobox', { name: 'Language' }).waitFor();

        expect(await seen.page.evaluate('__shown.length')).toBe(1);
        expect(await seen.page.evaluate('__shown[0].isConnected')).toBe(true);
        await seen.close();
      },
    );

    it('shows an example, marked as one, which is checked in the browser and on no server', async () => {
      const seen = await visit(`${running.baseUrl}/`);
      const { page } = seen;
      await page.locator('.example-card').getByText('Example', { exact: true }).waitFor();
      await page.locator('.example-card').click();
      await page.getByText('Everything in this file that can be checked is correct.').waitFor();

      await page.getByText('Example', { exact: true }).waitFor();
      await page.getByText('This person is made up').waitFor();
      await counts(page.locator('.entries > li'), 4);
      expect(await page.locator('.stamp.failed').count()).toBe(0);
      // Log, witnesses and completeness are all shown, by keys of the example; posts are asked of platforms alone.
      expect(await page.locator('.file-result > .steps > li:not(.ok)').count()).toBe(0);
      await page.locator('.file-result > .steps > li.ok').filter({ hasText: 'Enough witnesses have signed' }).waitFor();
      await page.locator('.file-result > p').getByText('Whether the post is there').waitFor();
      await page.locator('.entries details.folded-steps:not([open]) .stamp.ok').nth(3).waitFor({ state: 'attached' });
      await page.locator('.file-result > .steps > li.ok').filter({ hasText: 'Nothing is left out' }).waitFor();
      await counts(page.locator('.profile-picture'), 1);
      expect(await seen.seriousProblems()).toEqual([]);
      const avatar = await page.locator('.avatar-head code').getAttribute('title');
      expect((await running.get(`/v1/proof?platform=self&identity=${avatar}&exact=true`)).body.ids).toEqual([]);
      await seen.close();
    });

    it('speaks the language of the browser, and another one when it is chosen', async () => {
      const seen = await visit(`${running.baseUrl}/`, { language: 'de-CH' });

      await seen.page.getByRole('button', { name: 'Nachschlagen' }).waitFor();
      await seen.page.getByRole('combobox', { name: 'Sprache' }).selectOption('fr');
      await seen.page.getByRole('button', { name: 'Rechercher' }).waitFor();
      expect(await seen.page.evaluate('document.documentElement.lang')).toBe('fr');
      await seen.close();
    });
  });
});

describe('the built page', () => {
  it('says nowhere in its scripts what only a server of development has, nor where it was built', () => {
    const scripts = readdirSync(path.join(BUILT, 'assets')).filter((name) => name.endsWith('.js'));

    expect(scripts.length).toBeGreaterThan(8);
    for (const name of scripts)
      expect(builtFile(`assets/${name}`)).not.toMatch(/\/\/localhost|import\.meta\.hot|\/web\/src\//);
  });
});
