import type { Page } from 'playwright-core';
import { connectTo, jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aNostrKey, anAvatar } from '../support/avatar.js';
import { linkNostr } from '../support/scenario.js';
import { describePage } from './browser.js';
import { walletInPage } from './wallet-in-page.js';

const key = aNostrKey('alice');

describePage('a key of Nostr in the page', (visit) => {
  let app: RunningApp;
  let domain: StandIn;
  beforeAll(async () => {
    domain = await startStandIn(() => jsonReply({ names: { alice: key.hex } }), { tls: true });
    const transport = await connectTo(domain, ['example.org']);
    app = await startApp({ transport, env: { PLATFORMS: 'github,ethereum,nostr' } });
  });
  afterAll(async () => {
    await app.close();
    await domain.close();
  });

  /** The page at the choice of a key of Nostr, where the key of the page is one that a wallet holds. */
  const openChoice = async (owner: string, hasNostr: boolean) => {
    const secret = Buffer.from(anAvatar(owner).privateKey).toString('hex');
    const before = walletInPage(secret, hasNostr);
    const seen = await visit(`${app.baseUrl}/bind`, { before, expected: [/status of 40[04]/] });
    const press = (name: string) => seen.page.getByRole('button', { name }).click();
    await seen.page.getByRole('radio', { name: 'Nostr' }).check();
    await press('Test Wallet');
    await seen.page.getByRole('heading', { name: 'Your key' }).waitFor();
    return { seen, page: seen.page, press };
  };
  const isBound = (page: Page) => page.getByRole('heading', { name: 'Connected' }).waitFor();

  it('is bound by an extension, which signs an event of its own kind', async () => {
    const { seen, page, press } = await openChoice('carol', true);
    await press('Connect the wallet Nostr');
    await press('Sign this text');
    await isBound(page);

    const signed = await page.evaluate(
      () => (globalThis as unknown as { __wallet: { signed: string[] } }).__wallet.signed,
    );
    expect(signed.filter((text) => text.includes('"platform":"nostr"'))).toHaveLength(2);
    await seen.close();
  });

  it('says that the person declined in the extension', async () => {
    const { seen, page, press } = await openChoice('dave', true);
    await page.evaluate(() => {
      (globalThis as unknown as { __wallet: { refuses: boolean } }).__wallet.refuses = true;
    });
    await press('Connect the wallet Nostr');
    await page.getByText('You said no in the wallet.').waitFor();
    await seen.close();
  });

  it('is bound by its name at a domain and an event that another program signs', async () => {
    const { seen, page, press } = await openChoice('erin', false);
    await page.getByText('This browser has no extension for Nostr.').waitFor();
    await page.getByText('With another program').click();
    await page.getByRole('textbox', { name: 'Your public key on Nostr' }).fill('alice@example.org');
    await press('Continue');
    await press('Sign this text');
    const signed = page.getByRole('textbox', { name: 'The signed event, or its sig' });
    await signed.waitFor();
    const { content } = JSON.parse(await page.locator('pre', { hasText: '"kind":26743' }).innerText()) as {
      content: string;
    };
    const give = async (pasted: string) => {
      await signed.fill(pasted);
      await page.locator('form', { has: signed }).getByRole('button', { name: 'Continue' }).click();
    };
    await give(aNostrKey('mallory').sign(content));
    await page.getByText('This is not that event, signed with that key.').waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await give(JSON.stringify(key.event(content)));
    await isBound(page);
    await seen.close();
  });

  it('is not sent anywhere where a private key is pasted in its place', async () => {
    const { seen, page, press } = await openChoice('frank', false);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url() + (request.postData() ?? '')));
    await page.getByText('With another program').click();
    const name = page.getByRole('textbox', { name: 'Your public key on Nostr' });
    for (const before of ['', 'nostr:']) {
      await name.fill(`${before}nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5`);
      await press('Continue');
      await page
        .getByText(/private key|no such name|cannot be/)
        .first()
        .waitFor();
    }

    expect(asked.filter((one) => one.includes('nsec1'))).toEqual([]);
    await seen.close();
  });

  it('stays out of addresses, requests and storage where a private key is pasted into any field of a name', async () => {
    const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
    const seen = await visit(`${app.baseUrl}/`, { expected: [/40[04]/] });
    const { page } = seen;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    const said = page.getByRole('alert').filter({ hasText: 'This is a private key, or its words.' });
    const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
    for (const secret of [nsec, words]) {
      await page.getByRole('searchbox').fill('');
      await page.getByRole('searchbox').fill(secret);
      await page.getByRole('searchbox').press('Enter');
      await said.waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
    }
    await page.goto(`${app.baseUrl}/bind?platform=github`);
    await page.getByRole('textbox', { name: 'Your name on GitHub' }).fill(`nostr:${nsec}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await said.waitFor();

    expect(sent.filter((one) => /nsec1|abandon/.test(one))).toEqual([]);
    const kept = () =>
      page.evaluate<string>('location.href + document.title + JSON.stringify([localStorage, sessionStorage])');
    expect(await kept()).not.toMatch(/nsec1|abandon/);
    for (const path of [`/?q=${nsec}`, `/p/nostr/${nsec}`]) {
      await page.goto(app.baseUrl + path);
      sent.length = 0;
      await said.waitFor();
      expect(await kept()).not.toContain('nsec1');
      expect(sent.filter((one) => one.includes('nsec1'))).toEqual([]);
    }
    await seen.close();
  });

  it.each([
    ['a search', '/?q=alice@example.org'],
    ['the address of a name', '/p/nostr/alice@example.org'],
  ])('is led to by its name at a domain from %s', async (_what, path) => {
    await linkNostr(app, anAvatar('alice'), key);
    const seen = await visit(app.baseUrl + path, { expected: [/40[04]/] });
    await seen.page.locator(`a[href="/p/nostr/${key.npub}"]`).first().waitFor();
    await seen.close();
  });
});
