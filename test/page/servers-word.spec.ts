import type { Page } from 'playwright-core';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { GITHUB } from './scene.js';
import { NO_PAGE } from './browser.js';
import { describeScene } from './describe-scene.js';
import { counts, openWithin } from './shown.js';

/**
 * What a server can leave out without any check failing: the page names it as the word of the server, and shows no sign
 * of a check beside it (docs/threat-model.md, "What is said, and who could make it false").
 */
describeScene('what only the server says', (visit, world) => {
  const path = `/p/github/${GITHUB}`;
  /** Waits until the map counts them. */
  const holdersInMap = (name: string, count: number) =>
    until(async () => (await world().scene.running.get(`/v1/log/map?${name}`)).body.value?.holders === count);

  it('shows red, and no word of the server, where all keys of a name are hidden and it denies its map', async () => {
    const { proxy } = world();
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/proof?'))
        Object.assign(answer, { ids: [], pagination: { ...answer.pagination, total: 0 } });
    };
    const seen = await visit(proxy.baseUrl + NO_PAGE, { expected: [/404.*log\/map/] });
    const { page } = seen;

    await whereMapIsDenied(page, () => page.goto(`${proxy.baseUrl}${path}`));
    expect(await page.locator('main').textContent()).not.toContain('The server knows no key');
    // A search without a platform asks no map.
    await openWithin(page, `/?q=${GITHUB}`);
    await page.locator('main').getByText('The server knows no key that holds this name.').waitFor();
    expect(await page.locator('.checked-here').count()).toBe(0);
    await seen.close();
  });

  it('says that the server knows several keys, and shows red where one is hidden, also where it denies its map', async () => {
    const { scene, proxy } = world();
    const seen = await visit(`${proxy.baseUrl}${path}`, { expected: [/404.*log\/map/] });
    const { page } = seen;
    const ofKeys = page.locator('main > .checked-here');
    await page.getByText('The server knows 2 keys that hold this name.').waitFor();
    await holdersInMap(`platform=github&identity=${GITHUB}`, 2);
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/proof?'))
        answer.ids = answer.ids.filter(({ avatar }: { avatar: string }) => avatar !== scene.bob.avatar);
    };

    await page.reload();
    await ofKeys.and(page.locator('.failed')).getByText('does not agree with what the server shows').waitFor();
    await whereMapIsDenied(page, () => page.reload());
    await page.locator('.holder').first().waitFor();
    await counts(page.locator('.holder'), 1);
    expect(await page.locator('.holder-key').textContent()).toContain('connections that the server shows of this key');
    await counts(ofKeys, 1);
    await seen.close();
  });

  it('shows ten keys of a name at once, says how many there are, and checks them when all were read', async () => {
    const { scene } = world();
    const wallet = aWallet('crowded');
    const crowd = Array.from({ length: 21 }, (_, index) => anAvatar(`crowd ${index}`));
    for (const avatar of crowd) await linkWallet(scene.running, avatar, wallet);
    await holdersInMap(`platform=ethereum&identity=${wallet.address}`, 21);
    const path = `/p/ethereum/${wallet.address}`;
    const seen = await visit(`${scene.baseUrl}${path}`);
    const { page } = seen;
    const ofKeys = page.locator('main > .checked-here');
    const holders = page.locator('.holder');

    await page.getByText('The server knows 21 keys that hold this name.').waitFor();
    await holders.nth(9).waitFor();
    expect([await holders.count(), await ofKeys.count()]).toEqual([10, 0]);
    await page.getByRole('button', { name: 'Show 10 more' }).click();
    await page.getByRole('button', { name: 'Show 1 more' }).click();
    await ofKeys.getByText('21 keys hold this name, and no others').waitFor();
    await counts(holders, 21);
    await openWithin(page, `/?q=ethereum:${wallet.address}`);
    await page.getByText('The server knows 21 keys that hold exactly this name.').first().waitFor();

    // What happens is heard by one stream, however many keys are shown.
    for (const avatar of crowd.slice(0, 10)) await linkWallet(scene.running, avatar, wallet, { action: 'delete' });
    const stream = page.waitForResponse(/\/v1\/events\?/);
    await openWithin(page, path);
    await ofKeys.getByText('11 keys hold this name, and no others').waitFor();
    await counts(holders, 10);
    await page.getByRole('button', { name: 'Show 1 more' }).waitFor();
    await stream;
    await linkWallet(scene.running, crowd[10]!, wallet, { action: 'delete' });
    await ofKeys.getByText('10 keys hold this name, and no others').waitFor();
    await page.getByText('The server knows 10 keys that hold this name.').waitFor();
    await seen.close();
  });

  it('counts the keys of a name anew when one of them gives it up, and shows that one as before', async () => {
    const { scene } = world();
    const wallet = aWallet('given up');
    const [keeps, leaves] = [anAvatar('keeps it'), anAvatar('gives it up')];
    for (const avatar of [keeps, leaves]) await linkWallet(scene.running, avatar, wallet);
    const seen = await visit(scene.baseUrl + NO_PAGE);
    const { page } = seen;
    const ofKeys = page.locator('main > .checked-here');
    const stream = page.waitForResponse(/\/v1\/events\?/);
    await page.goto(`${scene.baseUrl}/p/ethereum/${wallet.address}`);
    await ofKeys.getByText('2 keys hold this name, and no others').waitFor();
    await stream;

    await linkWallet(scene.running, leaves, wallet, { action: 'delete' });
    await ofKeys.and(page.locator('.ok')).getByText('The only key that holds this name').waitFor();
    await page.getByText('The key no longer holds this name.').waitFor();
    expect(await page.getByText('2 keys').count()).toBe(0);
    await counts(page.locator('.holder'), 2);
    await seen.close();
  });

  it('shows content without its newest change as correct, and says of none that the server shows it', async () => {
    const { scene, proxy } = world();
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/kv/chain')) {
        answer.kv_chain = answer.kv_chain.slice(0, 1);
        answer.pagination.total = 1;
      }
      if (asked.startsWith('/v1/kv?')) delete answer.proofs[0].content.about;
    };
    const seen = await visit(`${proxy.baseUrl}/a/${scene.alice.avatar}`);
    const { page } = seen;

    await page.getByText('This is exactly what the key signed, in 1 change.').waitFor();
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/kv/chain')) {
        answer.kv_chain = [];
        answer.pagination.total = 0;
      }
      if (asked.startsWith('/v1/kv?')) answer.proofs = [];
    };
    await page.reload();
    await page.getByText('The server shows nothing that this key has written.').waitFor();
    await seen.close();
  });

  it('shows a revoked binding as signed where the revoke is hidden, and its state as the word of the server', async () => {
    const { scene, proxy } = world();
    const { identity } = scene.platforms.describe('dns');
    const [model] = (await scene.client.proofs.of(scene.alice.avatar))!.proofs;
    const links = await scene.client.chain(scene.alice.avatar).toArray();
    const { created_at } = links.find(({ platform }) => platform === 'dns')!;
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/proofchain?')) {
        const kept = answer.proof_chain.filter(({ action }: { action: string }) => action !== 'delete');
        answer.pagination.total -= answer.proof_chain.length - kept.length;
        answer.proof_chain = kept;
      }
      if (asked.startsWith('/v1/proof?'))
        for (const group of answer.ids) group.proofs.push({ ...model, platform: 'dns', identity, created_at });
    };
    const seen = await visit(`${proxy.baseUrl}/a/${scene.alice.avatar}`, { expected: [/404.*proof\/history/] });
    const { page } = seen;

    const revoked = page.locator('.binding').filter({ has: page.locator(`a[href="/p/dns/${identity}"]`) });
    await revoked.locator('.checked-here.ok').waitFor();
    expect(await revoked.locator('.server-says').textContent()).toContain('Valid');
    await page.locator('.summary').getByText('The public log does not agree').waitFor();
    await seen.close();
  });

  it('says of a wallet that the server calls a contract that the key signed, and whose word the rest is', async () => {
    const { scene, proxy } = world();
    const signed = await visit(`${proxy.baseUrl}/p/ethereum/${scene.alice.address}`);
    await signed.page.getByText('The key and the wallet both signed it.').first().waitFor();
    await signed.close();
    proxy.lie = (asked, answer) => {
      if (!asked.startsWith('/v1/proofchain?')) return;
      for (const { platform, extra } of answer.proof_chain) {
        if (platform === 'ethereum') Object.assign(extra, { wallet_signature: '0x07', chain_id: '1' });
      }
    };
    const seen = await visit(proxy.baseUrl + NO_PAGE, { expected: [/404.*log\/proof/] });
    const { page } = seen;
    // The log holds the hash of each link with its extra: that of an operator who changes his database holds this one.
    const answer = { status: 404, json: { code: 'not_yet_logged', message: 'It is not in the log yet.' } };
    await page.route('**/v1/log/proof*', (route) => route.fulfill(answer));
    await page.goto(`${proxy.baseUrl}/p/ethereum/${scene.alice.address}`);

    await page.getByText('Signed by this key.').first().waitFor();
    await page.getByText('Only the server says that this is a contract wallet').first().waitFor();
    expect(await page.getByText('The key and the wallet both signed it.').count()).toBe(0);
    await seen.close();
  });

  it('says of the witnesses that the server names them', async () => {
    const { scene } = world();
    const seen = await visit(`${scene.baseUrl}/transparency`);

    await seen.page.getByText('Who they are, and how many are enough, is the word of this server.').waitFor();
    await seen.close();
  });
});

/** Loads a view as of a server that denies the map of its log, and waits until the page says so in red. */
async function whereMapIsDenied(page: Page, load: () => Promise<unknown>): Promise<void> {
  const answer = { status: 404, json: { code: 'not_found', message: 'Cannot GET /v1/log/map' } };
  await page.route('**/v1/log/map?*', (route) => route.fulfill(answer));
  const asked = page.waitForResponse(/\/v1\/log\/map\?/);
  await load();
  await asked;
  await page.locator('main > .checked-here.failed').getByText('has a map of all that each key has signed').waitFor();
}
