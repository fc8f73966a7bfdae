import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { scriptOf } from '../../packages/verify/test/support/bundle.js';
import { anyChromium } from '../../packages/verify/test/support/chromium.js';
import { describeUnless } from '../../packages/verify/test/support/unless.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import type * as sdkModule from '@signet/sdk';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';

/** What the page has. */
interface InPage {
  sdk: typeof sdkModule;
  seen: string[];
  stop: AbortController;
  ended: Promise<string>;
}

describeUnless(anyChromium.lack, 'the SDK in a browser, on a page of another origin,', () => {
  let app: RunningApp;
  let proxy: FaultProxy;
  let site: StandIn;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    app = await startApp();
    proxy = await startFaultProxy(app.baseUrl);
    site = await startStandIn(() => ({ text: '<!doctype html>', headers: { 'content-type': 'text/html' } }));
    browser = await chromium.launch({ executablePath: anyChromium.executablePath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(site.baseUrl);
    const entry = fileURLToPath(new URL('browser-entry.ts', import.meta.url));
    await page.addScriptTag({ content: scriptOf(entry) });
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([proxy?.close(), site?.close()]);
    await app?.close();
  });

  const alice = anAvatar('alice');
  const seen = () => page.evaluate(() => (globalThis as unknown as InPage).seen);

  it('binds a wallet', async () => {
    const link = await page.evaluate(
      async ({ baseUrl, key }) => {
        const { createClient, fromPrivateKey } = (globalThis as unknown as InPage).sdk;
        const signer = fromPrivateKey(Uint8Array.from(key));
        const client = createClient({ baseUrl });
        return client.bind({ platform: 'ethereum', identity: signer.address, signer });
      },
      { baseUrl: app.baseUrl, key: [...alice.privateKey] },
    );

    expect(link.avatar).toBe(alice.key.compressed);
  });

  it('follows the stream through a connection that is cut, without a gap or a repeat, until it is stopped', async () => {
    await page.evaluate((baseUrl) => {
      const world = globalThis as unknown as InPage;
      Object.assign(world, { seen: [], stop: new AbortController() });
      const stream = world.sdk.createClient({ baseUrl }).events({ after: 0, signal: world.stop.signal });
      world.ended = (async () => {
        for await (const { position, type } of stream) world.seen.push(`${position} ${type}`);
        return 'the end';
      })().catch((error: Error) => error.name);
    }, proxy.baseUrl);
    await until(async () => (await seen()).length === 1);
    await linkWallet(app, alice, aWallet('one'));
    await until(async () => (await seen()).length === 2);
    proxy.cutAll();
    await linkWallet(app, alice, aWallet('two'));
    await linkWallet(app, alice, aWallet('two'), { action: 'delete' });
    await until(async () => (await seen()).length === 4);
    const ended = await page.evaluate(() => {
      const world = globalThis as unknown as InPage;
      world.stop.abort();
      return world.ended;
    });

    expect(await seen()).toEqual(['1 proof.bound', '2 proof.bound', '3 proof.bound', '4 proof.revoked']);
    expect(ended).toBe('AbortError');
  });

  it('says that a server is not there, and gives up when it is told to', async () => {
    const outcomes = await page.evaluate(async (baseUrl) => {
      const { createClient } = (globalThis as unknown as InPage).sdk;
      const away = createClient({ baseUrl: 'http://127.0.0.1:9', retries: 0 });
      const nameOf = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.name);
      const signal = AbortSignal.abort();
      return [await nameOf(away.health()), await nameOf(createClient({ baseUrl }).health({ signal }))];
    }, app.baseUrl);

    expect(outcomes).toEqual(['UnreachableError', 'AbortError']);
  });
});
