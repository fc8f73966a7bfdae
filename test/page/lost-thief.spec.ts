import { describePage, type Look } from './browser.js';
import {
  aPerson,
  NO_LOG,
  press,
  type RecoveryScene,
  startRecoveryScene,
  useWords,
  WORDS_NAME,
} from './recovery-scene.js';
import { walletInPage } from './wallet-in-page.js';

describe('the door for somebody whose key a thief has', () => {
  let scene: RecoveryScene;
  beforeAll(async () => {
    scene = await startRecoveryScene();
  });
  afterAll(() => scene?.close());

  describePage('in an empty browser', (visit) => {
    const open = (avatar: string, look: Look = {}) => visit(`${scene.baseUrl}/lost/thief?avatar=${avatar}`, look);
    const stateOf = async (avatar: string) => (await scene.running.get(`/v1/keys?avatar=${avatar}`)).body;

    it('freezes the key and stops what the thief has begun, with recovery words', async () => {
      const [alice, mallory] = [aPerson(51), aPerson(52)];
      await scene.client.keys.commit({ signer: alice, recovery: [WORDS_NAME] });
      const { event } = await scene.client.keys.succeed({ signer: alice, successor: mallory });
      const seen = await visit(`${scene.baseUrl}/a/${alice.avatar}`, { expected: [NO_LOG] });
      const { page } = seen;
      const banner = page.getByRole('region', { name: 'Recovery' });
      await banner.getByText(/takes the place of this one in 3 days/).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await banner.getByRole('link', { name: 'Stop it' }).click();
      await page.getByText('Signed with the key itself.').waitFor();
      await press(page, 'Stop this');
      await useWords(page);
      await press(page, 'Sign this text');
      await page.getByText('Nothing is pending.').waitFor();
      const stopped = await stateOf(alice.avatar);
      await press(page, 'Freeze the key');
      await press(page, 'Sign this text');
      await page.locator('.key-state').getByText('Frozen until').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      const frozen = await stateOf(alice.avatar);
      await press(page, 'End the freeze');
      await press(page, 'Sign this text');
      await page.locator('.deed-done').getByText('The freeze has ended.').waitFor();

      expect(event.due_at).toBeGreaterThan(event.recorded_at);
      expect(stopped).toMatchObject({ pending: [], is_frozen: false });
      expect(frozen).toMatchObject({ is_frozen: true, freeze: { signer: WORDS_NAME } });
      expect(await stateOf(alice.avatar)).toMatchObject({ is_frozen: false, freeze: null });
      await seen.close();
    });

    it('says where nothing is committed that both can only stop each other, and lets the key stop and freeze', async () => {
      const alice = aPerson(53);
      await scene.client.bind({ platform: 'ethereum', identity: alice.address, signer: alice });
      await scene.client.keys.commit({ signer: alice, recovery: [WORDS_NAME] });
      const seen = await open(alice.avatar, { before: walletInPage(alice.hex) });
      const { page } = seen;
      await page.getByText('you and the thief can only stop each other').waitFor();
      await page.getByText('These recovery keys come into force in 3 days').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await press(page, 'Freeze the key');
      await press(page, 'Test Wallet');
      await press(page, 'Sign this text');
      await page.locator('.key-state').getByText('Frozen until').waitFor();
      await press(page, 'Stop this');
      await press(page, 'Sign this text');
      await page.getByText('Nothing is pending.').waitFor();

      expect(await stateOf(alice.avatar)).toMatchObject({ pending: [], freeze: { signer: 'main' } });
      await seen.close();
    });

    it('says what the rules refuse in the language of the page', async () => {
      const alice = aPerson(54);
      await scene.client.keys.freeze({ signer: alice });
      await scene.client.keys.thaw({ signer: alice });
      const seen = await open(alice.avatar, {
        ...{ before: walletInPage(alice.hex), language: 'de', expected: [/status of 400/] },
      });
      const { page } = seen;
      await press(page, 'Schlüssel einfrieren');
      await press(page, 'Test Wallet');
      await press(page, 'Diesen Text unterschreiben');

      await page.getByRole('alert').getByText('Dieser Schlüssel wurde schon aufgehalten').waitFor();
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    });
  });
});
