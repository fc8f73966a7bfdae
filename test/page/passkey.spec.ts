import { findAvatarKey } from '@signet/verify';
import { keyOfPasskey } from '@signet/verify/sign';
import { fromPrivateKey } from '@signet/sdk';
import type { Page } from 'playwright-core';
import { type Gist, type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { until } from '../support/until.js';
import { describePage, type Look, type Visit } from './browser.js';
import { addAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.js';

const GIST = '0123456789abcdef0123456789abcdef';
const NO_KEY = 'No key came: it was cancelled, or it took too long.';

/** Keeps what the browser answered for the extension, and a copy of it from before the page had it. */
const WATCHED = onPage(`
  globalThis.__answers = [];
  const answered = PublicKeyCredential.prototype.getClientExtensionResults;
  PublicKeyCredential.prototype.getClientExtensionResults = function () {
    const results = answered.call(this);
    const first = results.prf?.results?.first;
    if (first) __answers.push({ given: new Uint8Array(first), copy: new Uint8Array(first.slice(0)) });
    return results;
  };`);
/** A browser under test takes any time to wait for a touch; others wait ten seconds at least. */
const IMPATIENT = onPage(`
  for (const name of ['create', 'get']) {
    const ask = navigator.credentials[name].bind(navigator.credentials);
    navigator.credentials[name] = ({ publicKey }) => ask({ publicKey: { ...publicKey, timeout: 300 } });
  }`);

/** How many keys this browser keeps under pass phrases. */
const KEPT_KEYS = `new Promise((resolve) => {
  indexedDB.open('signet-keys').onsuccess = ({ target: { result } }) => {
    result.transaction('keys').objectStore('keys').count().onsuccess = (counted) => resolve(counted.target.result);
  };
})`;

/** A script for the page alone, and not for the empty one before it, which has no passkeys. */
function onPage(script: string): string {
  return `if (isSecureContext && location.protocol !== 'about:') {${script}}`;
}

describe('a key by fingerprint', () => {
  let world: GistWorld;
  beforeAll(async () => {
    world = await startGistWorld({ env: { PLATFORMS: 'github,ethereum' } });
  });
  afterAll(() => world.close());

  describePage('in a browser', (visit) => {
    // An address of numbers is no place for passkeys; browsers take `localhost` for a secure one.
    const at = (path: string) => `${world.app.baseUrl.replace('127.0.0.1', 'localhost')}${path}`;
    /** The step of the key, on a device with a sensor. */
    const open = async (
      name: string,
      look: Look = {},
      sensor: { hasPrf?: boolean } = {},
    ): Promise<{ seen: Visit; page: Page; device: VirtualAuthenticator }> => {
      const seen = await visit(at(`/bind?platform=github&identity=${name}`), {
        expected: [/status of 40[04]/],
        ...look,
      });
      const device = await addAuthenticator(seen.page, sensor);
      await seen.page.getByRole('button', { name: 'Continue' }).click();
      return { seen, page: seen.page, device };
    };
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const avatarOf = async (page: Page) => {
      const text = await page.locator('.key-shown code').first().getAttribute('title');
      return findAvatarKey(text ?? '')!.compressed;
    };
    const makeKey = async (page: Page) => {
      await press(page, 'Make a key by fingerprint');
      await page.getByRole('heading', { name: 'Your key' }).waitFor();
      return avatarOf(page);
    };

    it('makes a key and signs with it by one touch, and keeps, sends and leaves no byte of its secret', async () => {
      const { seen, page, device } = await open('ann', { before: WATCHED });
      const sent: string[] = [];
      page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
      const avatar = await makeKey(page);
      await press(page, 'Sign this text');
      const content = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      const key = { compressed: avatar } as Gist['avatar']['key'];
      world.gists.set(GIST, { login: 'ann', accountId: 1, avatar: { key } as Gist['avatar'], content });
      await page.getByRole('textbox', { name: /Where is it/ }).fill(GIST);
      await press(page, 'I have published it: check');
      await page.getByRole('heading', { name: 'Connected' }).waitFor();

      const { body } = await world.app.get('/v1/proof?platform=github&identity=ann&exact=true');
      expect(body.ids[0].avatar).toBe(avatar);
      const answers = await page.evaluate<{ given: number[]; copy: number[] }[]>(
        '__answers.map(({ given, copy }) => ({ given: [...given], copy: [...copy] }))',
      );
      expect(answers.length).toBe(2);
      for (const { given, copy } of answers) {
        expect(given).toEqual(new Array(32).fill(0));
        const secret = Uint8Array.from(copy);
        const privateKey = keyOfPasskey(secret);
        expect(fromPrivateKey(privateKey).avatar).toBe(avatar);
        const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
        for (const bytes of [secret, privateKey]) {
          for (const encoding of ['hex', 'base64', 'base64url'] as const) {
            const written = Buffer.from(bytes).toString(encoding).replace(/=+$/, '');
            expect(`${kept} ${sent.join(' ')}`).not.toContain(written);
          }
          expect(kept).not.toContain([...bytes].join());
        }
      }
      expect(await page.evaluate(KEPT_KEYS)).toBe(0);
      const [credential] = await device.credentials();
      expect(credential).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });
      await seen.close();
    });

    it('comes back to the same key in an empty profile that has the passkey, and to another one with another', async () => {
      const { seen, page, device } = await open('bea', { before: WATCHED });
      const avatar = await makeKey(page);
      const [credential] = await device.credentials();
      const [secret] = await page.evaluate<number[][]>('__answers.map(({ copy }) => [...copy])');
      const session = await page.context().newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' });
      // The address says what was begun.
      await page.reload();
      await page.getByRole('button', { name: 'I have one already' }).waitFor();
      expect(await page.getByRole('button', { name: 'Continue with this key' }).count()).toBe(0);
      await press(page, 'I have one already');
      await page.getByRole('heading', { name: 'Your key' }).waitFor();
      expect(await avatarOf(page)).toBe(avatar);
      await seen.close();

      // The debugger carries a credential to another device without its secret, which keepers of passkeys carry too.
      const carried = onPage(`
        const answered = PublicKeyCredential.prototype.getClientExtensionResults;
        PublicKeyCredential.prototype.getClientExtensionResults = function () {
          const results = answered.call(this);
          const isCarried = btoa(String.fromCharCode(...new Uint8Array(this.rawId))) === '${credential!.credentialId}';
          return isCarried ? { prf: { results: { first: Uint8Array.of(${secret!.join()}).buffer } } } : results;
        };`);
      const second = await open('bea', { before: carried });
      await second.device.add(credential!);
      await press(second.page, 'I have one already');
      await second.page.getByRole('heading', { name: 'Your key' }).waitFor();
      expect(await avatarOf(second.page)).toBe(avatar);
      await second.seen.close();

      const third = await open('bea');
      expect(await makeKey(third.page)).not.toBe(avatar);
      await third.seen.close();
    });

    it('knows the key at the next visit, and asks for the finger when something is signed, once', async () => {
      const { seen, page } = await open('cat', { before: WATCHED });
      const avatar = await makeKey(page);
      await page.reload();
      await press(page, 'Continue with this key');
      expect(await avatarOf(page)).toBe(avatar);
      expect(await page.evaluate('__answers.length')).toBe(0);
      await press(page, 'Sign this text');
      await page.getByRole('textbox', { name: 'Text to publish' }).waitFor();

      expect(await page.evaluate('__answers.length')).toBe(1);
      await seen.close();
    });

    it('offers words in the same flow where a device turns out to have no secret for it', async () => {
      const { seen, page, device } = await open('dot', {}, { hasPrf: false });
      await press(page, 'Make a key by fingerprint');
      await page.getByRole('alert').getByText('This device cannot make a key by fingerprint.').waitFor();
      await press(page, 'Make a key');
      await page.locator('.words li').nth(11).waitFor();

      // The empty passkey does not stay with the passwords of the person.
      await until(async () => (await device.credentials()).length === 0);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it.each([
      [
        'has no such extension',
        onPage('PublicKeyCredential.getClientCapabilities = async () => ({ "extension:prf": false })'),
      ],
      ['knows no passkeys', onPage('delete globalThis.PublicKeyCredential')],
    ])('asks no device where the browser %s, and offers words first', async (_, before) => {
      const { seen, page } = await open('eve', { before });
      await page.getByRole('button', { name: 'Make a key', exact: true }).waitFor();

      expect(await page.getByText(/fingerprint/).count()).toBe(0);
      await seen.close();
    });

    it('says that no key came where the person is not who she was, and goes on when she is', async () => {
      const { seen, page, device } = await open('fay');
      await device.setVerified(false);
      await press(page, 'Make a key by fingerprint');
      await page.getByRole('alert').getByText(NO_KEY).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      // The sensor locks itself.
      await device.remove();
      await addAuthenticator(page);
      await makeKey(page);
      await seen.close();
    });

    it('says that no key came where nobody touches the sensor in time, and signs nothing', async () => {
      const { seen, page, device } = await open('gil', { before: IMPATIENT });
      await device.setPresent(false);
      await press(page, 'Make a key by fingerprint');
      await page.getByText('Your device asks you now.').waitFor();
      await page.getByRole('alert').getByText(NO_KEY).waitFor();
      await device.setPresent(true);
      await makeKey(page);
      await device.setPresent(false);
      await press(page, 'Sign this text');
      await page.getByRole('alert').getByText('Nothing was signed.').waitFor();
      await device.setPresent(true);
      await press(page, 'Sign');
      await press(page, 'Sign this text');
      await page.getByRole('textbox', { name: 'Text to publish' }).waitFor();
      await seen.close();
    });

    it('tries once without the extension where a device fails over it, and never sends it empty', async () => {
      const before = onPage(`globalThis.__asked = [];
        const make = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = (options) => {
          const { prf } = options.publicKey.extensions;
          __asked.push(prf ? prf.eval.first.byteLength : 'none');
          return prf ? Promise.reject(new DOMException('', 'UnknownError')) : make(options);
        };`);
      const { seen, page, device } = await open('hal', { before });
      await press(page, 'Make a key by fingerprint');
      await page.getByRole('alert').getByText('This device cannot make a key by fingerprint.').waitFor();
      await page.getByRole('button', { name: 'Make a key', exact: true }).waitFor();

      expect(await page.evaluate('__asked')).toEqual([20, 'none']);
      await until(async () => (await device.credentials()).length === 0);
      await seen.close();
    });

    it('signs nothing where the passkey answers for another key than the one that is in use', async () => {
      const { seen, page } = await open('ida');
      await makeKey(page);
      await page.evaluate(`{
        const answered = PublicKeyCredential.prototype.getClientExtensionResults;
        PublicKeyCredential.prototype.getClientExtensionResults = function () {
          const results = answered.call(this);
          new Uint8Array(results.prf.results.first)[0] ^= 1;
          return results;
        };
      }`);
      await press(page, 'Sign this text');

      await page.getByRole('alert').getByText('Your device answered with another key.').waitFor();
      await seen.close();
    });
  });
});
