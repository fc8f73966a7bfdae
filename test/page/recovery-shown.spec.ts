import { fromPrivateKey } from '@signet/sdk';
import { until } from '../support/until.js';
import { describeScene } from './describe-scene.js';
import { WORDS_NAME } from './recovery-scene.js';
import { GITHUB } from './scene.js';
import { counts } from './shown.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a proxy lies about bodies, whose shape it does not know
type Answer = any;

/** What visitors see of the keys of others, over a log with a map. */
describeScene('keys that are frozen or have moved', (visit, world) => {
  const logged = async (size: number) => {
    await until(async () => (await world().scene.running.get('/v1/log')).body.size >= size);
  };

  it('shows a freeze where a key, a name or a search shows it, and says that no key event is left out', async () => {
    const { scene } = world();
    await scene.client.keys.freeze({ signer: scene.bob });
    await logged(9);
    const seen = await visit(`${scene.baseUrl}/a/${scene.bob.avatar}`);
    const { page } = seen;
    const banner = page.getByRole('region', { name: 'Recovery' });
    await banner.getByText('Frozen until').waitFor();
    // What alarms has no green tick, however right it is.
    await counts(banner.locator('.stamp.urgent'), 1);
    expect(await banner.locator('.stamp.ok').count()).toBe(0);
    await page.getByRole('main').getByText('1 statement, and no more: this browser checked it').waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await page.goto(`${scene.baseUrl}/p/github/${GITHUB}`);
    await page.getByText('Frozen for a time: nothing new can be signed with this key.').waitFor();
    await page.goto(`${scene.baseUrl}/?q=${GITHUB}`);
    await page.locator('.found').getByText('Frozen for a time: nothing new can be signed with this key.').waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    const badge = await (await fetch(`${scene.baseUrl}/badge/github/${GITHUB}.svg?avatar=${scene.bob.avatar}`)).text();
    expect(badge).toContain('; key frozen');
    await seen.close();
  });

  it('turns red where the server hides the newest key event, which the map counts', async () => {
    const { scene, proxy } = world();
    proxy.lie = (asked, body: Answer) => {
      if (!asked.startsWith('/v1/keys/chain?')) return;
      Object.assign(body, { keys: [], pagination: { ...body.pagination, total: 0, next: 0 } });
    };
    const seen = await visit(`${proxy.baseUrl}/a/${scene.bob.avatar}`);

    const main = seen.page.getByRole('main');
    await main.getByText('The public log does not agree with what the server shows of this key.').waitFor();
    await seen.close();
  });

  it('turns red where a key event is not what the key signed, and believes no binding', async () => {
    const { scene, proxy } = world();
    proxy.lie = (asked, body: Answer) => {
      if (asked.startsWith('/v1/keys/chain?')) body.keys[0].due_at += 1;
    };
    const seen = await visit(`${proxy.baseUrl}/a/${scene.bob.avatar}`);
    await seen.page.getByText('What the server shows of the recovery of this key does not verify.').waitFor();

    expect(await seen.page.locator('.binding .checked-here.ok').count()).toBe(0);
    await seen.close();
  });

  it('shows where a key has moved to, everywhere that it is shown', async () => {
    const { scene } = world();
    const next = fromPrivateKey(new Uint8Array(32).fill(11));
    const paper = fromPrivateKey(new Uint8Array(32).fill(12));
    const recovery = [await scene.client.keys.nameOf(paper)];
    const carol = fromPrivateKey(new Uint8Array(32).fill(13));
    await scene.client.keys.commit({ signer: carol, recovery });
    await scene.client.bind({ platform: 'ethereum', identity: carol.address, signer: carol });
    await scene.client.keys.succeed({ signer: carol, cosigner: paper, successor: next });
    expect(recovery[0]).not.toBe(WORDS_NAME);
    await logged(12);
    const seen = await visit(`${scene.baseUrl}/a/${carol.avatar}`);
    const { page } = seen;
    await page
      .getByRole('main')
      .getByText(/^This key moved to/)
      .waitFor();
    await page.locator('.binding .checked-here.ok').waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await page.goto(`${scene.baseUrl}/p/ethereum/${carol.address}`);
    await page.locator('.server-says', { hasText: 'This key moved to' }).waitFor();
    await page.goto(`${scene.baseUrl}/recovery/${carol.avatar}`);
    await page
      .getByRole('main')
      .getByText(/^This key moved to/)
      .waitFor();
    // Nothing can be prepared any more.
    expect(await page.getByText('Prepare it while you have the key.').count()).toBe(0);
    await page.goto(`${scene.baseUrl}/p/ethereum/${carol.address}`);
    const badge = await (await fetch(`${scene.baseUrl}/badge/ethereum/${carol.address}.svg`)).text();
    expect(badge).toContain('; key moved');
    await page.locator('.server-says', { hasText: 'This key moved to' }).getByRole('link').click();
    await page.waitForURL(`**/a/${next.avatar}`);
    await seen.close();
  });
});
