import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { PUSH_HOST, type PushService, startPushService, type SubscribedBrowser } from '../push/push-service.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { describeNotified, describePage, type Look, type Visit } from './browser.js';

/** A browser as its push service knows it, first and when it has subscribed anew. */
interface Browsers {
  browser: SubscribedBrowser;
  next: SubscribedBrowser;
}

const alice = anAvatar('alice of the page');
const KEY = alice.key.compressed;

/**
 * Chromium's own push service is on the internet: at this boundary, and nowhere else, a stand-in gives the browser its
 * address and keys, and others when it subscribes anew. What the browser has is kept in `kept`, with the tab, as a
 * browser keeps it.
 */
const pushManagerOf = (browsers: SubscribedBrowser[], kept = 'sessionStorage') => `
  if (globalThis.PushManager) {
    const own = () => JSON.parse(${kept}.getItem('stand-in') ?? 'null');
    const all = ${JSON.stringify(browsers.map(({ endpoint, keys }) => ({ endpoint, keys })))};
    const made = ({ key, place }) => ({
      endpoint: all[place].endpoint,
      options: { applicationServerKey: Uint8Array.from(key).buffer },
      toJSON: () => ({ expirationTime: null, ...all[place] }),
      unsubscribe: async () => { ${kept}.removeItem('stand-in'); return true; },
    });
    PushManager.prototype.getSubscription = async () => own() && made(own());
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly) throw new DOMException('', 'NotAllowedError');
      const place = Number(${kept}.getItem('stand-in-next') ?? 0);
      ${kept}.setItem('stand-in-next', Math.min(place + 1, all.length - 1));
      ${kept}.setItem('stand-in', JSON.stringify({ key: [...applicationServerKey], place }));
      return made(own());
    };
  }`;

/**
 * Says that the page may show notifications, in a browser that has none and takes a third of the processor time: for
 * what is about the page and the server alone.
 */
const GRANTED = `
  if (globalThis.Notification) Object.defineProperty(Notification, 'permission', { get: () => 'granted' });`;

type Opens = (url: string, look?: Look) => Promise<Visit>;

describe('to be told of a key', () => {
  let service: PushService;
  let app: RunningApp;
  beforeAll(async () => {
    service = await startPushService();
    app = await startApp({
      env: { PUBLIC_URL: 'https://id.alice.dev', LOG_ORIGIN: 'page.push.example/log' },
      transport: service.transport,
    });
    await linkWallet(app, alice, aWallet('alice of the page'));
  });
  afterAll(async () => {
    await app?.close();
    await service?.close();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const says = (page: Page, text: string) => page.locator('.tell-me').getByText(text).waitFor();
  const rows = () => app.app.get(DataSource).query<{ language: string }[]>('select language from push_subscription');
  const endpoints = async () => {
    const found = await app.app.get(DataSource).query<{ endpoint: string }[]>('select endpoint from push_subscription');
    return found.map(({ endpoint }) => endpoint);
  };
  /** Opens the page of the key, in a browser that the push service knows. */
  const openerOf =
    (visit: Opens, first = '') =>
    async (look: Look = {}, mayShow = true): Promise<Visit & Browsers> => {
      const [browser, next] = [service.browser(PUSH_HOST), service.browser(PUSH_HOST)];
      const before = pushManagerOf([browser, next]) + first + (look.before ?? '');
      const seen = await visit(`${app.baseUrl}/a/${KEY}`, { hasWorker: true, ...look, before });
      if (mayShow) await seen.page.context().grantPermissions(['notifications'], { origin: app.baseUrl });
      return { ...seen, browser, next };
    };

  describeNotified('in a browser', (visit) => {
    const open = openerOf(visit);
    /** The service worker, of which the debugger may hear later than the page does. */
    const workerOf = async (page: Page) =>
      page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));

    it('takes one press, of which nothing was loaded before, and as little to end it', async () => {
      const asked: string[] = [];
      const { page, browser, close, seriousProblems, scrollsSideways } = await open({ width: 390 });
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await button(page, 'Tell me when anything changes here').waitFor();
      expect(asked.filter((path) => /push/.test(path))).toEqual([]);

      await button(page, 'Tell me when anything changes here').click();
      await says(page, 'This browser is told when anything changes for this key.');

      expect(browser.told()).toMatchObject([{ body: 'You will be told here when anything changes for this key.' }]);
      expect(await rows()).toEqual([{ language: 'en' }]);
      expect([await seriousProblems(), await scrollsSideways()]).toEqual([[], false]);
      await page.reload();
      await says(page, 'This browser is told when anything changes for this key.');
      await button(page, 'Stop telling me').click();
      await says(page, 'This browser is told nothing more of this key.');
      expect(await rows()).toEqual([]);
      expect(await page.evaluate('sessionStorage.getItem("stand-in")')).toBeNull();
      await page.reload();
      await button(page, 'Tell me when anything changes here').waitFor();
      await close();
    });

    it('says so where the person forbids notifications', async () => {
      const { page, close } = await open({}, false);
      await page.context().clearPermissions();
      await button(page, 'Tell me when anything changes here').click();
      await says(page, 'This browser lets this page show no notifications.');

      expect(await rows()).toEqual([]);
      await close();
    });

    it('moves to the address that the browser is given in the place of another', async () => {
      const { page, browser, close } = await open();
      await button(page, 'Tell me when anything changes here').click();
      await says(page, 'This browser is told when anything changes for this key.');
      const next = service.browser(PUSH_HOST);
      const worker = await workerOf(page);
      await worker.evaluate(`{
        const kept = new Map();
        const storage = { getItem: (n) => kept.get(n) ?? null, setItem: (n, v) => kept.set(n, v), removeItem: () => {} };
        ${pushManagerOf([next], 'storage')}
      }`);
      const change = () =>
        worker.evaluate(`new Promise((done, fail) => {
          const event = new Event('pushsubscriptionchange');
          event.waitUntil = (work) => work.then(done, fail);
          dispatchEvent(event);
        })`);

      await change();

      expect(await endpoints()).toEqual([next.endpoint]);
      expect([browser, next].map((one) => one.told().length)).toEqual([1, 1]);
      await change();
      expect(await endpoints()).toEqual([next.endpoint]);
      await app.app.get(DataSource).query('delete from push_subscription');
      await close();
    });

    it('shows what arrives as a notification, and a press on it leads to this page alone', async () => {
      const { page, close } = await open();
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      const debug = await page.context().newCDPSession(page);
      const registered = new Promise<string>((done) => {
        debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          if (registrations[0]) done(registrations[0].registrationId);
        });
      });
      await debug.send('ServiceWorker.enable');
      const registrationId = await registered;
      const deliver = (data: string) =>
        debug.send('ServiceWorker.deliverPushMessage', { origin: app.baseUrl, registrationId, data });
      const shown = () =>
        page.evaluate<object[]>(`navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) =>
          all.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, data })))`);
      const told = {
        title: 'Key 0x',
        body: 'It was connected.',
        tag: 'one',
        lang: 'en',
        path: `/recovery/${KEY}`,
        at: 1,
      };

      await deliver(JSON.stringify(told));
      await deliver(JSON.stringify({ ...told, body: 'It was connected, sent again.' }));
      await deliver('no JSON');
      await until(async () => (await shown()).length === 2);

      const { title, tag, lang, path } = told;
      expect(await shown()).toEqual(
        expect.arrayContaining([
          { title, body: 'It was connected, sent again.', tag, lang, data: path },
          { title: 'Signet', body: '', tag: 'signet', lang: '', data: '/' },
        ]),
      );
      const worker = await workerOf(page);
      const press = (to: string) =>
        worker.evaluate(`new Promise((done) => {
          const [opened, work] = [[], []];
          clients.openWindow = async (address) => void opened.push(address);
          const event = new Event('notificationclick');
          event.notification = { close: () => opened.push('closed'), data: '${to}' };
          event.waitUntil = (promise) => work.push(promise);
          dispatchEvent(event);
          Promise.all(work).then(() => done(opened));
        })`);
      expect(await press(path)).toEqual(['closed', app.baseUrl + path]);
      expect(await press('//evil.example/')).toEqual(['closed']);
      await close();
    });
  });

  describePage('in a browser without notifications of its own', (visit) => {
    const open = openerOf(visit, GRANTED);

    it('follows the language of the page, and says where the server has ended it', async () => {
      const { page, close } = await open({ language: 'de', expected: [/404/] });
      await button(page, 'Bescheid sagen, wenn sich hier etwas ändert').click();
      await says(page, 'Dieser Browser meldet es, wenn sich bei diesem Schlüssel etwas ändert.');
      await page.getByLabel('Sprache').selectOption('ja');
      // The page remembers a language once its texts are there.
      await page.locator('html[lang=ja]').waitFor();
      await page.reload();
      await says(page, 'この鍵に変化があると、このブラウザーに通知が届きます。');
      await until(async () => (await rows())[0]!.language === 'ja');

      await app.app.get(DataSource).query('delete from push_subscription');
      await page.reload();
      await says(page, 'この鍵についての通知は、このブラウザーには届かなくなりました。');
      await close();
    });

    it.each([
      ['the browser has no push', 'delete globalThis.PushManager;', 'This browser takes no notifications from pages.'],
      [
        'an iPhone shows those of installed pages alone',
        'delete globalThis.PushManager; Object.defineProperty(navigator, "standalone", { value: false });',
        'On iPhone and iPad, put this page on the home screen first',
      ],
      [
        'the browser does not reach its push service',
        'if (globalThis.PushManager) PushManager.prototype.subscribe = async () => { throw new DOMException("", "AbortError"); };',
        'This browser did not reach its push service.',
      ],
    ])('says so where %s', async (_what, before, text) => {
      const { page, close, seriousProblems } = await open({ before });

      await button(page, 'Tell me when anything changes here').click();
      await says(page, text);

      expect(await rows()).toEqual([]);
      expect(await seriousProblems()).toEqual([]);
      await close();
    });

    it('says what the server says where its push service refuses', async () => {
      const { page, close } = await open({ expected: [/400/] });
      service.answer({ status: 403 });
      await button(page, 'Tell me when anything changes here').press('Enter');
      await says(page, 'The push service of this browser answered 403 to a first message, and 201 was expected.');
      service.answer();
      await button(page, 'Try again').click();
      await says(page, 'This browser is told when anything changes for this key.');
      await button(page, 'Stop telling me').click();
      await says(page, 'This browser is told nothing more of this key.');
      await close();
    });

    it('says nothing of an end that the server has not made, and tries it again', async () => {
      const { page, close } = await open();
      await button(page, 'Tell me when anything changes here').click();
      await says(page, 'This browser is told when anything changes for this key.');
      await page.evaluate(`{
        const own = fetch;
        globalThis.fetch = async (address, init) => {
          if (init?.method !== 'DELETE') return own(address, init);
          return new Response('{"message":"The server rests."}', { status: 503 });
        };
        globalThis.wakeUp = () => { globalThis.fetch = own; };
      }`);
      await button(page, 'Stop telling me').click();
      await says(page, 'The server rests.');
      expect(await page.locator('.tell-me').getByText('told nothing more').count()).toBe(0);
      expect(await rows()).toHaveLength(1);

      await page.evaluate('wakeUp()');
      await button(page, 'Try again').click();
      await says(page, 'This browser is told nothing more of this key.');
      expect(await rows()).toEqual([]);
      await close();
    });

    it('keeps what another window has begun meanwhile', async () => {
      const held = `if (globalThis.Cache) {
        const put = Cache.prototype.put;
        Cache.prototype.put = async function (...given) {
          if (String(given[0]).includes('/kept')) await globalThis.__held;
          return put.apply(this, given);
        };
      }`;
      const { page, close } = await open({ before: held });
      const other = await page.context().newPage();
      await other.goto(`${app.baseUrl}/a/${anAvatar('bob of the page').key.compressed}`);
      await page.bringToFront();
      await page.evaluate('void (__held = new Promise((done) => { globalThis.__letGo = done; }))');
      await button(page, 'Tell me when anything changes here').click();
      await until(async () => (await rows()).length === 1);
      await button(other, 'Tell me when anything changes here').click();
      await says(other, 'This browser is told when anything changes for this key.');
      await page.evaluate('__letGo()');
      await says(page, 'This browser is told when anything changes for this key.');

      await Promise.all([page, other].map((one) => one.reload()));
      for (const one of [page, other]) await says(one, 'This browser is told when anything changes for this key.');
      for (const one of [page, other]) await button(one, 'Stop telling me').click();
      await until(async () => (await rows()).length === 0);
      await close();
    });

    it.each([
      ['with the rows of the key before', false],
      ['where the operator has emptied the table', true],
    ])('subscribes anew where the server has another key, %s', async (_what, isEmptied) => {
      const { page, browser, next, close } = await open({ expected: isEmptied ? [/404/] : [] });
      await button(page, 'Tell me when anything changes here').click();
      await says(page, 'This browser is told when anything changes for this key.');
      const keyOf = () => page.evaluate<{ key: number[] }>('JSON.parse(sessionStorage.getItem("stand-in"))');
      const { key } = await keyOf();
      await page.evaluate(`{
        const kept = JSON.parse(sessionStorage.getItem('stand-in'));
        kept.key[64] ^= 1;
        sessionStorage.setItem('stand-in', JSON.stringify(kept));
      }`);
      if (isEmptied) await app.app.get(DataSource).query('delete from push_subscription');

      await page.reload();
      await says(page, 'This browser is told when anything changes for this key.');

      expect(await endpoints()).toEqual([next.endpoint]);
      expect(next.endpoint).not.toBe(browser.endpoint);
      expect((await keyOf()).key).toEqual(key);
      await button(page, 'Stop telling me').click();
      await says(page, 'This browser is told nothing more of this key.');
      expect(await endpoints()).toEqual([]);
      await close();
    });

    it('is not offered where the server tells nobody', async () => {
      const off = await startApp({ env: { PUSH: 'off', LOG: 'off', PUBLIC_URL: 'https://id.alice.dev' } });
      const { page, close } = await visit(`${off.baseUrl}/a/${KEY}`, { expected: [/status of (404|503)/] });
      await page.getByRole('button', { name: 'Copy the key' }).waitFor();

      expect(await page.locator('.tell-me').count()).toBe(0);
      await close();
      await off.close();
    });
  });
});
