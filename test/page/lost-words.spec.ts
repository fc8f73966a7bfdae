import { describePage } from './browser.js';
import {
  aPerson,
  makeKey,
  NO_LOG,
  press,
  type RecoveryScene,
  startRecoveryScene,
  useWords,
  WORDS_AVATAR,
  WORDS_NAME,
  wordsSigner,
} from './recovery-scene.js';
import { walletInPage } from './wallet-in-page.js';
import { counts } from './shown.js';

describe('the door for somebody who has recovery words', () => {
  let scene: RecoveryScene;
  beforeAll(async () => {
    scene = await startRecoveryScene();
  });
  afterAll(() => scene?.close());

  describePage('in an empty browser', (visit) => {
    it('leads from an account to a frozen key and a new one that takes its place', async () => {
      const alice = aPerson(41);
      await scene.client.keys.commit({ signer: alice, recovery: [WORDS_NAME] });
      await scene.bind(alice, 'github');
      // What a thief has connected before the owner comes.
      await scene.client.bind({ platform: 'ethereum', identity: alice.address, signer: alice });
      const seen = await visit(`${scene.baseUrl}/lost`, { expected: [NO_LOG] });
      const { page } = seen;
      expect(await seen.seriousProblems()).toEqual([]);
      await page.getByRole('link', { name: /I have my recovery words/ }).click();
      await page.getByRole('heading', { name: 'I have my recovery words' }).waitFor();
      await page.getByLabel('Which key is it?').fill('github:alice-demo');
      await press(page, 'Continue');
      await page.locator('.found-keys button').click();
      await page.getByText('1 recovery key is in force.').waitFor();
      await useWords(page, 'legal winner thank year wave sausage worth useful legal winner thank yellow');
      await page.getByRole('alert').getByText('This key cannot speak here').waitFor();
      await useWords(page);
      await page.getByText('You sign with recovery key 1.').waitFor();
      await press(page, 'Freeze the key');
      await press(page, 'Sign this text');
      await page.locator('.key-state').getByText('Frozen until').waitFor();
      const frozen = (await scene.running.get(`/v1/keys?avatar=${alice.avatar}`)).body;
      await makeKey(page);
      await page.getByText('Yes, and I choose what was my last').click();
      await page.getByLabel('Your last statement').selectOption({ index: 1 });
      expect(await seen.seriousProblems()).toEqual([]);
      await press(page, 'Let the new key take its place');
      await press(page, 'Sign this text');
      await page.getByRole('heading', { name: 'What happens when' }).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      const pending = (await scene.running.get(`/v1/keys?avatar=${alice.avatar}`)).body;
      await scene.passDays(alice.avatar, 3);
      const final = (await scene.running.get(`/v1/keys?avatar=${alice.avatar}`)).body;
      await page.goto(`${scene.baseUrl}/a/${alice.avatar}`);
      await page.getByText(/^This key moved to/).waitFor();
      const stolen = page.locator('.binding.void');
      await stolen.getByText('Made after the key was reported stolen: it counts for nothing.').waitFor();
      await stolen.getByText('Signed with this key, made after it was reported stolen.').waitFor();

      expect(frozen).toMatchObject({ is_frozen: true, freeze: { signer: WORDS_NAME } });
      expect(pending.pending).toEqual([expect.objectContaining({ action: 'key.succeed', signer: WORDS_NAME })]);
      expect(final.succession).toMatchObject({ successor: pending.pending[0].fields.successor });
      // Grey, and neither green nor red.
      await counts(stolen, 1);
      await counts(stolen.locator('.checked-here.not_checkable'), 1);
      await counts(page.locator('.binding:not(.void) .checked-here.ok'), 1);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });

    it('is final at once where the old key signs too', async () => {
      const [ledger, old] = [aPerson(43), WORDS_AVATAR];
      const name = await scene.client.keys.nameOf(ledger, 'eip155');
      await scene.client.keys.commit({ signer: wordsSigner(), recovery: [name] });
      // The wallet of the page is the recovery key; the old key is in words.
      const seen = await visit(`${scene.baseUrl}/lost/words?avatar=${old}`, { before: walletInPage(ledger.hex) });
      const { page } = seen;
      await press(page, 'Test Wallet');
      await page.getByText('You sign with recovery key 1.').waitFor();
      await makeKey(page);
      await page.getByText('I have the old key too').click();
      await useWords(page);
      await page.getByText('You sign with the key itself.').waitFor();
      await press(page, 'Let the new key take its place');
      await press(page, 'Sign this text');
      await page.getByText('has taken its place, for good.').waitFor();

      const { body } = await scene.running.get(`/v1/keys?avatar=${old}`);
      expect(body.succession.successor).toMatch(/^0x0[23]/);
      await seen.close();
    });

    it('is said not to have loaded where it did not, and loads by another try', async () => {
      const seen = await visit(`${scene.baseUrl}/lost`, { expected: [/ERR_FAILED/] });
      const { page } = seen;
      await page.route('**/assets/door-words-*.js', (route) => route.abort());
      await page.getByRole('link', { name: 'I have my recovery words' }).click();
      await page.getByRole('alert').getByText('This part of the page did not load').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await page.unroute('**/assets/door-words-*.js');
      await press(page, 'Try again');
      await page.getByText('Your words stay in this browser.').waitFor();
      await seen.close();
    });

    it.each([
      ['de', 'Ich habe meine Wörter zur Wiederherstellung', 'Kein Ersatzschlüssel dieses Schlüssels ist in Kraft'],
      ['ja', '復旧の十二語がある', 'この鍵には有効な復旧鍵がない'],
    ])('says in %s that words cannot help where no recovery key is in force', async (language, door, text) => {
      const alice = aPerson(44);
      const seen = await visit(`${scene.baseUrl}/lost?avatar=${alice.avatar}`, { language, width: 390 });
      await seen.page.getByRole('link', { name: door }).click();

      await seen.page.getByText(text).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      expect(await seen.scrollsSideways()).toBe(false);
      await seen.close();
    });
  });
});
