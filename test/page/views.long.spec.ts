import { fromAppKey } from '@signet/sdk';
import type { Page } from 'playwright-core';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { until } from '../support/until.js';
import type { Look } from './browser.js';
import { describeScene } from './describe-scene.js';
import { takePictures } from './pictures.js';
import { aPerson, press, WORDS_NAME, wordsSigner } from './recovery-scene.js';
import { GITHUB } from './scene.js';
import { addAuthenticator } from './virtual-authenticator.js';
import { walletInPage } from './wallet-in-page.js';

const ENV = {
  ADMIN_TOKEN,
  ABUSE_CONTACT: 'mailto:abuse@signet.example',
  PUBLIC_URL: 'https://signet.example',
  LOG_ORIGIN: 'views.page.example/log',
};
/** A person says no, or a server does not know a name: what browsers write of it is no fault of the page. */
const EXPECTED = [/status of \d+/];
const REASON = 'It claims to be somebody else.';
/** The browser reaches a push service, which is on the internet, or says what is in the way. */
const PUSH_STATES: Record<string, string> = {
  told: `
    Notification.requestPermission = async () => 'granted';
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async () => ({ endpoint: 'e', toJSON: () => ({ endpoint: 'e', keys: {} }) });`,
  denied: `Notification.requestPermission = async () => 'denied';`,
  unsupported: 'delete globalThis.PushManager;',
  install: `delete globalThis.PushManager; Object.defineProperty(navigator, 'standalone', { value: false });`,
};

/** `npm run views`: what each view looks like, in `.cache/views`; and that none is unreadable or too wide. */
describeScene(
  'the views of the page',
  (visit, world) => {
    const at = (path: string) => world().scene.baseUrl.replace('127.0.0.1', 'localhost') + path;
    const open = (path: string, look: Look = {}) => visit(at(path), { expected: EXPECTED, ...look });
    /** A picture of an address, once a text is there. */
    const pictureOf = async (name: string, path: string, text: string | RegExp, look: Look = {}) => {
      const seen = await open(path, look);
      await seen.page.locator('main').getByText(text).first().waitFor();
      const wrong = await takePictures(seen, name);
      await seen.close();
      return wrong;
    };
    const unfold = (page: Page, name: string) => page.locator('summary').filter({ hasText: name }).first().click();

    it('of somebody who has nothing but a phone', async () => {
      const { platforms } = world().scene;
      const seen = await open('/bind');
      const { page } = seen;
      await addAuthenticator(page);
      await page.goto(at('/bind?platform=github'));
      await page.locator('input[name=identity]').fill('carol-demo');
      const wrong = await takePictures(seen, '01-bind-name');
      await press(page, 'Continue');
      await page.getByRole('button', { name: 'Make a key by fingerprint' }).waitFor();
      wrong.push(...(await takePictures(seen, '02-bind-key')));
      await press(page, 'Make a key by fingerprint');
      await page.getByText('This is what you sign').waitFor();
      wrong.push(...(await takePictures(seen, '03-bind-sign')));
      await press(page, 'Sign this text');
      await page.getByRole('textbox', { name: 'Text to publish' }).waitFor();
      wrong.push(...(await takePictures(seen, '04-bind-publish')));
      const text = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      const file = await page.locator('.publish-step code.long').innerText();
      platforms.publish('github', text, file.replace('.json', ''));
      await page.getByRole('textbox', { name: /Where is it/ }).fill(platforms.describe('github').location!);
      await press(page, 'I have published it: check');
      await page.locator('main').getByText('belongs to').first().waitFor();
      wrong.push(...(await takePictures(seen, '05-bind-refused')));

      expect(wrong).toEqual([]);
      await seen.close();
    });

    it('of what comes behind a connection, with a key by fingerprint and with one of words', async () => {
      const seen = await open('/bind?platform=ethereum');
      const { page } = seen;
      await addAuthenticator(page);
      await page.reload();
      await press(page, 'Make a key by fingerprint');
      await page.getByRole('button', { name: /Connect the address of this key/ }).click();
      await press(page, 'Sign this text');
      await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
      await page.locator('.qr-code').waitFor();
      const wrong = await takePictures(seen, '06-done');
      await page.emulateMedia({ media: 'print' });
      wrong.push(...(await takePictures(seen, '07-done-printed', [768])));
      await page.emulateMedia({ media: 'screen' });

      const plain = await open('/bind?platform=github&identity=carol-demo');
      await press(plain.page, 'Continue');
      await plain.page.getByRole('button', { name: 'Make a key', exact: true }).waitFor();
      wrong.push(...(await takePictures(plain, '08-bind-key-without-sensor')));
      await press(plain.page, 'Make a key');
      await plain.page.locator('.words li').nth(11).waitFor();
      wrong.push(...(await takePictures(plain, '09-bind-words')));

      expect(wrong).toEqual([]);
      await plain.close();
      await seen.close();
    });

    it('of several accounts in one go', async () => {
      const { platforms } = world().scene;
      const seen = await open('/bind/several');
      const { page } = seen;
      await addAuthenticator(page);
      for (const platform of ['github', 'activitypub', 'dns']) {
        await page.locator(`.tick-list > li:has(use[href$="#${platform}"]) input[type=checkbox]`).check();
        await page.locator(`input[name=${platform}]`).fill(platforms.describe(platform).identity);
      }
      const wrong = await takePictures(seen, '10-several-choice');
      await press(page, 'Continue');
      await press(page, 'Make a key by fingerprint');
      await press(page, 'Sign this text');
      const text = await page.getByRole('textbox', { name: 'Text to publish' }).inputValue();
      const stored = await page.evaluate<string>('localStorage.getItem("signet-several")');
      platforms.publish('github', text, (JSON.parse(stored) as { avatar: string }).avatar);
      wrong.push(...(await takePictures(seen, '11-several-first')));
      await page.getByRole('textbox', { name: /Where is it/ }).fill(platforms.describe('github').location!);
      await press(page, 'I have published it: check');
      await page.locator('.done-item').first().waitFor();
      await press(page, 'Leave it for later, go on with the next');
      await page.getByText('Left for later').waitFor();
      wrong.push(...(await takePictures(seen, '12-several-list')));
      await press(page, 'Leave it for later');
      await page.getByText('are left for later').waitFor();
      wrong.push(...(await takePictures(seen, '13-several-done')));

      expect(wrong).toEqual([]);
      await seen.close();
    });

    it('of a phone without a wallet, and of a desk that hands over', async () => {
      const phone = await open('/bind?platform=solana', { isPhone: true });
      await phone.page
        .getByRole('button', { name: /Make a key/ })
        .first()
        .waitFor();
      const wrong = await takePictures(phone, '14-wallet-apps', [390]);
      await phone.close();
      const desk = await open('/bind?platform=github&identity=carol-demo', {
        before: walletInPage(aPerson(40).hex),
      });
      await press(desk.page, 'Continue');
      await unfold(desk.page, 'Go on with your phone');
      await desk.page.locator('.qr-code').waitFor();
      wrong.push(...(await takePictures(desk, '15-hand-over')));

      expect(wrong).toEqual([]);
      await desk.close();
    });

    it('of a key and of a name', async () => {
      const { client, alice, baseUrl } = world().scene;
      const example = (await (await fetch(`${baseUrl}/example.json`)).json()) as {
        patches: { patch: { profile: { picture: string } } }[];
      };
      const { picture } = example.patches[0]!.patch.profile;
      const profile = { name: 'Alice', about: 'Builds bridges between accounts.', picture };
      await client.kv.patch({ platform: 'self', identity: alice.avatar, signer: alice, patch: { profile } });
      const seen = await open(`/a/${alice.avatar}`);
      await seen.page.getByRole('heading', { name: 'Alice', exact: true }).waitFor();
      await seen.page.getByText('5 of 5 found in the public log').waitFor();
      const wrong = await takePictures(seen, '16-key');
      await unfold(seen.page, 'Show a code to scan');
      await seen.page.locator('.code-card').waitFor();
      wrong.push(...(await takePictures(seen, '17-key-code')));
      await seen.close();
      wrong.push(...(await pictureOf('18-name-of-two-keys', `/p/github/${GITHUB}`, 'checks that could be made here')));
      wrong.push(...(await pictureOf('19-search', `/?q=${GITHUB}`, 'Exactly')));
      wrong.push(...(await pictureOf('20-example', '/example', 'All')));
      wrong.push(...(await pictureOf('21-start', '/', 'Who is behind')));

      expect(wrong).toEqual([]);
    });

    it.each(Object.keys(PUSH_STATES))('of the button to be told: %s', async (state) => {
      const { bob } = world().scene;
      const seen = await open(`/a/${bob.avatar}`, { hasWorker: true, before: PUSH_STATES[state]! });
      const { page } = seen;
      await page.route('**/v1/push/subscriptions', (route) => route.fulfill({ status: 201, json: { id: 'one' } }));
      await press(page, 'Tell me when anything changes here');
      await page.locator('.tell-me [role=status] p:not(.waiting)').first().waitFor();

      expect(await takePictures(seen, `22-push-${state}`)).toEqual([]);
      await seen.close();
    });

    it('of a key that is lost, stolen, frozen or succeeded, and of the keys of apps', async () => {
      const { client } = world().scene;
      const [owner, thief, paper, heir, moved] = [aPerson(41), aPerson(42), aPerson(43), aPerson(44), aPerson(45)];
      const own = fromAppKey({ avatar: owner.avatar, algorithm: 'es256', privateKey: new Uint8Array(32).fill(46) });
      const wrong = await pictureOf('23-recovery-none', `/recovery/${owner.avatar}`, 'Prepare it');
      await client.keys.commit({ signer: owner, recovery: [WORDS_NAME] });
      await client.bind({ platform: 'ethereum', identity: owner.address, signer: owner });
      await client.keys.add({
        signer: owner,
        app: { ...own, origin: 'https://app.example' },
        scopes: ['kv'],
      });
      wrong.push(...(await pictureOf('24-recovery-apps', `/recovery/${owner.avatar}`, 'https://app.example')));
      wrong.push(...(await pictureOf('25-lost', '/lost', 'I have')));
      wrong.push(...(await pictureOf('26-lost-words', `/lost/words?avatar=${owner.avatar}`, 'words')));
      wrong.push(...(await pictureOf('27-lost-thief', `/lost/thief?avatar=${owner.avatar}`, 'key')));
      wrong.push(...(await pictureOf('28-lost-accounts', '/lost/accounts', 'accounts')));
      await client.keys.succeed({ signer: owner, successor: thief });
      wrong.push(...(await pictureOf('29-key-alarm', `/a/${owner.avatar}`, /takes the place of this one/)));
      wrong.push(...(await pictureOf('30-lost-thief-alarm', `/lost/thief?avatar=${owner.avatar}`, 'Stop this')));
      await client.keys.freeze({ signer: wordsSigner(), avatar: owner.avatar });
      wrong.push(...(await pictureOf('31-key-frozen', `/a/${owner.avatar}`, 'Frozen until')));
      await client.keys.commit({ signer: moved, recovery: [await client.keys.nameOf(paper)] });
      await client.bind({ platform: 'ethereum', identity: moved.address, signer: moved });
      await client.keys.succeed({ signer: moved, cosigner: paper, successor: heir });
      wrong.push(...(await pictureOf('32-key-moved', `/a/${moved.avatar}`, /^This key moved to/)));

      expect(wrong).toEqual([]);
    });

    it('of a key of Nostr without an extension, and of a file with what platforms have signed', async () => {
      const { scene } = world();
      const nostr = await open('/bind?platform=nostr', { before: walletInPage(aPerson(47).hex) });
      await press(nostr.page, 'Test Wallet');
      await unfold(nostr.page, 'With another program');
      await nostr.page.getByRole('textbox', { name: 'Your public key on Nostr' }).waitFor();
      const wrong = await takePictures(nostr, '37-nostr-by-hand');
      await nostr.close();
      await scene.bind(scene.bob, 'bluesky');
      const seen = await open('/verify');
      const buffer = Buffer.from(JSON.stringify(await scene.client.export(scene.bob.avatar)));
      await seen.page.setInputFiles('#export-file', { name: 'x.json', mimeType: 'application/json', buffer });
      await seen.page.getByText('What the platform signed').first().waitFor();
      wrong.push(...(await takePictures(seen, '38-file-check')));

      expect(wrong).toEqual([]);
      await seen.close();
    });

    it('of what the operator hides, and of the console', async () => {
      const { bob, running } = world().scene;
      const admin = adminOf(running);
      await admin.post('/hidden', { kind: 'key', avatar: bob.avatar, reason: REASON });
      const wrong = await pictureOf('33-hidden-key', `/a/${bob.avatar}`, REASON);
      wrong.push(...(await pictureOf('34-hidden-holder', `/p/github/${GITHUB}`, REASON)));
      const seen = await open('/console');
      await seen.page.getByLabel('Admin token').fill(ADMIN_TOKEN);
      await seen.page.keyboard.press('Enter');
      await seen.page.getByRole('heading', { name: 'Hidden from the page' }).waitFor();
      await seen.page.getByText(REASON).waitFor();
      wrong.push(...(await takePictures(seen, '35-console')));

      expect(wrong).toEqual([]);
      await seen.close();
    });

    it('of the page as it is installed, and in German and Japanese on a phone', async () => {
      const { alice } = world().scene;
      const seen = await open('/');
      const debug = await seen.page.context().newCDPSession(seen.page);
      await debug.send('Emulation.setEmulatedMedia', { features: [{ name: 'display-mode', value: 'standalone' }] });
      const wrong = await takePictures(seen, '36-installed', [390]);
      for (const language of ['de', 'ja']) {
        for (const [name, path] of [
          ['start', '/'],
          ['key', `/a/${alice.avatar}`],
          ['bind', '/bind?platform=github&identity=carol-demo'],
          ['several', '/bind/several'],
          ['lost', '/lost'],
          ['recovery', `/recovery/${alice.avatar}`],
          ['example', '/example'],
        ]) {
          const own = await open(path!, { language });
          await own.page.locator('main h1, main h2').first().waitFor();
          await until(async () => (await own.page.locator('.waiting').count()) === 0);
          wrong.push(...(await takePictures(own, `40-${language}-${name}`, [390])));
          await own.close();
        }
      }

      expect(wrong).toEqual([]);
    });
  },
  ENV,
);
