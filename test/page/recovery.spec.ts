import { describePage, type Look } from './browser.js';
import {
  aPerson,
  type Person,
  press,
  type RecoveryScene,
  startRecoveryScene,
  typeAskedWords,
  useWords,
  WORDS_NAME,
} from './recovery-scene.js';
import { walletInPage } from './wallet-in-page.js';
import { shownWords } from './shown.js';

describe('recovery keys in the page', () => {
  let scene: RecoveryScene;
  beforeAll(async () => {
    scene = await startRecoveryScene();
  });
  afterAll(() => scene?.close());

  describePage('in a browser', (visit) => {
    const open = (path: string, wallet: Person, look: Look = {}) =>
      visit(scene.baseUrl + path, { before: walletInPage(wallet.hex), ...look });

    it('are twelve words on a sheet that is printed, and a wallet, whose order the owner chooses', async () => {
      const [alice, ledger] = [aPerson(31), aPerson(32)];
      const seen = await open(`/recovery/${alice.avatar}`, ledger);
      const { page } = seen;
      await page.evaluate('globalThis.print = () => (globalThis.printed = true)');
      await page.getByText('Nothing is prepared').waitFor();
      await press(page, 'Choose recovery keys');
      await press(page, 'Add a wallet');
      await page.getByText('The address of the wallet will be public').waitFor();
      await press(page, 'Test Wallet');
      await page.locator('.recovery-keys').getByText('Wallet, public').waitFor();
      await press(page, 'Add twelve words');
      await page.locator('.paper').waitFor();
      const paper = await page.locator('.paper').innerText();
      const words = await shownWords(page);
      expect(await seen.seriousProblems()).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      const printed = await page.locator('body').innerText();
      await page.emulateMedia({ media: 'screen' });
      await press(page, 'Print');
      await press(page, 'I have them on paper');
      await page.locator('.asked-words input').first().waitFor();
      for (const field of await page.locator('.asked-words input').all()) await field.fill('wrong');
      await press(page, 'Add these words');
      await page.getByRole('alert').getByText('These are not the words').waitFor();
      await typeAskedWords(page, words);
      await press(page, 'Add these words');
      await page.locator('.recovery-keys li').nth(1).waitFor();
      await page.getByLabel('How long can something be stopped?').selectOption('7 days');

      expect(words).toHaveLength(12);
      expect(paper).toContain(alice.avatar);
      expect(paper).toContain(`${new URL(scene.baseUrl).host}/lost`);
      // Nothing but the sheet goes to the printer.
      expect(printed.replace(/\s+/g, ' ')).toBe(paper.replace(/\s+/g, ' '));
      expect(await page.evaluate('globalThis.printed')).toBe(true);
      // New words stand above the wallet.
      expect(await page.locator('.recovery-keys li').allInnerTexts()).toEqual([
        expect.stringMatching(/^Words[^]*highest/),
        expect.stringMatching(/^Wallet, public/),
      ]);
      await seen.close();
    });

    it('are signed by the key itself, are in force at once before it has anything, and can be rehearsed', async () => {
      const alice = aPerson(33);
      const seen = await open(`/recovery/${alice.avatar}`, alice);
      const { page } = seen;
      const sent: string[] = [];
      await press(page, 'Choose recovery keys');
      await press(page, 'Add twelve words');
      await page.locator('.paper').waitFor();
      const words = await shownWords(page);
      await press(page, 'I have them on paper');
      await typeAskedWords(page, words);
      await press(page, 'Add these words');
      await press(page, 'Continue');
      await press(page, 'Test Wallet');
      await page.getByText('You sign with the key itself.').waitFor();
      await press(page, 'Sign');
      const text = await page.getByRole('region', { name: 'This is what you sign' }).locator('pre').innerText();
      expect(await seen.seriousProblems()).toEqual([]);
      await press(page, 'Sign this text');
      await page.locator('.deed-done').getByText('The recovery keys are in force.').waitFor();
      await page.getByText('1 recovery key is in force. What a single key begins can be stopped for 3 days.').waitFor();
      await press(page, 'Rehearse');
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url());
      });
      await useWords(page);
      await page.locator('.rehearsal').getByText('This is not one of the recovery keys.').waitFor();
      await useWords(page, words.join(' '));
      await page.locator('.rehearsal').getByText('Right: this is recovery key 1.').waitFor();

      const { body } = await scene.running.get(`/v1/keys/chain?avatar=${alice.avatar}`);
      expect(body.keys).toHaveLength(1);
      expect(body.keys[0]).toMatchObject({ action: 'key.commit', signer: 'main', signature_payload: text });
      expect(sent).toEqual([]);
      await seen.close();
    });

    it('refuses the key itself as a recovery key, and a key that may not speak', async () => {
      const [alice, stranger] = [aPerson(34), aPerson(35)];
      await scene.client.keys.commit({ signer: alice, recovery: [WORDS_NAME] });
      const own = await open(`/recovery/${alice.avatar}`, alice);
      await press(own.page, 'Choose other recovery keys');
      await press(own.page, 'Add a wallet');
      await press(own.page, 'Test Wallet');
      await own.page.getByText('This is the key itself.').waitFor();
      await own.close();

      const other = await open(`/recovery/${alice.avatar}`, stranger);
      await press(other.page, 'Freeze the key');
      await press(other.page, 'Test Wallet');
      await other.page.getByRole('alert').getByText('This key cannot speak here').waitFor();
      await other.close();
    });

    it('tells whoever has connected a third account, once', async () => {
      const alice = aPerson(36);
      await scene.bind(alice, 'github');
      await scene.bind(alice, 'activitypub');
      const seen = await open('/bind?platform=ethereum', alice);
      const { page } = seen;
      await press(page, 'Test Wallet');
      await press(page, /Connect the address of this key/);
      await press(page, 'Sign this text');
      await page.getByText('Three accounts depend on this key now.').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await page.getByRole('link', { name: 'Choose recovery keys' }).click();

      await page.getByRole('heading', { name: 'Recovery', exact: true }).waitFor();
      expect(await page.evaluate('Object.keys(localStorage).filter((name) => name.includes("told")).length')).toBe(1);
      await seen.close();
    });

    it.each([
      ['de', 'Ersatzschlüssel wählen', 'Zwölf Wörter hinzufügen', 'Wörter zur Wiederherstellung'],
      ['ja', '復旧鍵を選ぶ', '十二語を加える', '復旧の十二語'],
    ])('speak %s, and are reached by the keyboard alone', async (language, choose, add, title) => {
      const alice = aPerson(37);
      const seen = await open(`/recovery/${alice.avatar}`, alice, { language });
      const { page } = seen;
      await page.getByRole('button', { name: choose, exact: true }).waitFor();
      const tabTo = async (name: string) => {
        for (let steps = 0; steps < 40; steps++) {
          await page.keyboard.press('Tab');
          if ((await page.evaluate<string>('document.activeElement.innerText ?? ""')) === name) return;
        }
        throw new Error(`${name} is not reached by Tab.`);
      };
      await tabTo(choose);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: add, exact: true }).waitFor();
      await tabTo(add);
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      expect(await seen.scrollsSideways()).toBe(false);
      await seen.close();
    });
  });
});
