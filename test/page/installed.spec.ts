import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { type RunningApp, startApp } from '../support/app.js';
import { until } from '../support/until.js';
import { builtFile } from './built-page.js';
import { describePage } from './browser.js';

/** What a browser needs to offer an installation, https://w3c.github.io/manifest/. */
interface Manifest {
  start_url: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
}

describe('the page on a device', () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp();
  });
  afterAll(() => running.close());

  it('can be installed: a manifest with icons of the sizes that it names', async () => {
    const answer = await fetch(`${running.baseUrl}/manifest.webmanifest`);
    const manifest = (await answer.json()) as Manifest;

    expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
    expect(new Set(manifest.icons.map(({ purpose }) => purpose))).toEqual(new Set(['any', 'maskable']));
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await fetch(running.baseUrl + src);
      expect(icon.headers.get('content-type')?.split(';')[0]).toBe(type);
      if (type !== 'image/png') continue;
      const bytes = Buffer.from(await icon.arrayBuffer());
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
    }
  });

  it('has a service worker that may ask this server alone, and is looked for at each visit', async () => {
    const { headers } = await fetch(`${running.baseUrl}/worker.js`);

    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(builtFile('worker.js')).not.toMatch(/__(?:LATE_FILES|BUILD)__/);
  });

  describePage('in a browser', (visit) => {
    const keptNames = (page: Page) =>
      page.evaluate<string[]>(`(async () => {
        const names = (await caches.keys()).filter((name) => name.startsWith('signet-page-'));
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return requests.flat().map(({ url }) => new URL(url).pathname);
      })()`);
    /** Until the worker has kept all and serves. */
    const isKept = async (page: Page) => {
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      await until(() =>
        page.evaluate<boolean>(
          'navigator.serviceWorker.getRegistration().then((one) => one.active?.state === "activated")',
        ),
      );
    };

    it('opens without a network once it was there, and checks a file', async () => {
      const offline = [/ERR_INTERNET_DISCONNECTED|Failed to fetch|net::/];
      const seen = await visit(`${running.baseUrl}/`, { hasWorker: true, expected: offline, language: 'fr' });
      const { page } = seen;
      await isKept(page);
      await page.context().setOffline(true);
      await page.goto(`${running.baseUrl}/verify`);
      const file = { name: 'alice.json', mimeType: 'application/json', buffer: Buffer.from(builtFile('example.json')) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.locator('.entries > li').nth(3).waitFor();

      expect(await page.locator('.stamp.failed').count()).toBe(0);
      await page.locator('.file-result > .steps > li.ok').nth(3).waitFor({ state: 'attached' });
      await seen.close();
    });

    it('opens while a proxy says that its server is down, too', async () => {
      const proxy = await startFailingProxy(running.baseUrl);
      const seen = await visit(`${proxy.baseUrl}/`, { hasWorker: true, expected: [/status of 502/] });
      await isKept(seen.page);
      proxy.isDown = true;
      await seen.page.goto(`${proxy.baseUrl}/verify`);
      await seen.page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
      await seen.close();
      await proxy.close();
    });

    it('keeps the page and no answer of the service, and shows what the server has now where there is a network', async () => {
      const seen = await visit(`${running.baseUrl}/`, { hasWorker: true });
      const { page } = seen;
      await isKept(page);
      await page.goto(`${running.baseUrl}/p/ethereum/0x0000000000000000000000000000000000000001`);
      await page.getByRole('heading', { level: 1 }).waitFor();

      const kept = await keptNames(page);
      expect(kept).toContain('/verify');
      expect(kept.filter((name) => /^\/(v1|log|p|a|badge|healthz)(\/|$)/.test(name))).toEqual([]);
      // Another document than the kept one: its head is of this address, so it came from the server.
      expect(await page.evaluate('document.querySelector("link[rel=canonical]")?.href ?? ""')).toContain(
        '/p/ethereum/',
      );
      await seen.close();
    });

    it('gives the policy for its address to nobody else, and no other one', async () => {
      const seen = await visit(`${running.baseUrl}/`, { expected: [/TrustedTypePolicy|trusted-types/] });
      const made = (name: string) =>
        seen.page.evaluate<string>(`(() => {
          try { trustedTypes.createPolicy('${name}', { createHTML: (text) => text }); return 'made'; }
          catch (error) { return error.name; }
        })()`);
      await seen.page.getByRole('searchbox').waitFor();

      expect([await made('worker'), await made('other')]).toEqual(['TypeError', 'TypeError']);
      await seen.close();
    });
  });
});

/** A proxy on loopback that answers 502 while it is said to be down. */
async function startFailingProxy(target: string) {
  const server = createServer((incoming, outgoing) => {
    const pass = async () => {
      if (proxy.isDown) return outgoing.writeHead(502).end('The server is down.');
      const answer = await fetch(`${target}${incoming.url}`, { headers: { accept: incoming.headers.accept ?? '*/*' } });
      const [type, policy] = ['content-type', 'content-security-policy'].map((name) => answer.headers.get(name));
      outgoing.setHeader('content-type', type ?? 'text/plain');
      if (policy) outgoing.setHeader('content-security-policy', policy);
      return outgoing.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    };
    void pass().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = {
    isDown: false,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
