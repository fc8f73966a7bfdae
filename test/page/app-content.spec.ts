import { fromAppKey, fromPrivateKey } from '@signet/sdk';
import { findBinding } from '../../web/src/embed/find-binding.js';
import { describeScene } from './describe-scene.js';
import { press, useWords, wordsSigner } from './recovery-scene.js';
import { GITHUB } from './scene.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a proxy lies about bodies, whose shape it does not know
type Answer = any;

/** What the page says of content that keys of apps have signed, and of content behind a succession. */
describeScene('content that an app has written', (visit, world) => {
  const carol = fromPrivateKey(new Uint8Array(32).fill(21));
  const app = fromAppKey({ avatar: carol.avatar, algorithm: 'ed25519', privateKey: new Uint8Array(32).fill(22) });
  const self = { platform: 'self', identity: carol.avatar };

  beforeAll(async () => {
    const { keys, kv } = world().scene.client;
    await keys.add({ signer: carol, app: { ...app, origin: 'https://app.example' }, scopes: ['kv'] });
    await kv.patch({ ...self, patch: { a: 'by carol' }, signer: carol });
    await kv.patch({ ...self, patch: { b: 'by the app' }, signer: app });
  });

  it('is checked here, and names the app by the origin of its pages', async () => {
    const seen = await visit(`${world().scene.baseUrl}/a/${carol.avatar}`);
    const content = seen.page.locator('section.content');

    await content.getByText('This is exactly what the key signed, in 2 changes.').waitFor();
    await content
      .getByText('Apps signed some of it with keys that this key had allowed: https://app.example.')
      .waitFor();
    await content.getByText('2 signed changes').click();
    await content.locator('.chain > li summary').nth(1).click();
    const facts = content.locator('.chain > li').nth(1);
    await facts.getByText('A key of an app, which this key had allowed, signed exactly this text.').waitFor();
    expect(await facts.locator('dd').first().textContent()).toBe(`https://app.example ${app.key}`);
    expect(await seen.seriousProblems()).toEqual([]);
    await seen.close();
  });

  it.each<[string, (path: string, body: Answer) => void]>([
    [
      'the server hides that the key was added',
      (path, body) => {
        if (path.startsWith('/v1/keys/chain')) body.keys = [];
      },
    ],
    [
      'the change is another one than the app signed',
      (path, body) => {
        if (path.startsWith('/v1/kv/chain')) body.kv_chain[1].patch = { b: 'by mallory' };
      },
    ],
    [
      'another key signed it',
      (path, body) => {
        if (path.startsWith('/v1/kv/chain')) body.kv_chain[1].signature = body.kv_chain[0].signature;
      },
    ],
  ])('turns red where %s', async (_what, lie) => {
    const { proxy } = world();
    proxy.lie = lie;
    const seen = await visit(`${proxy.baseUrl}/a/${carol.avatar}`);

    await seen.page.getByText('This content is not what the key signed. Do not rely on it.').waitFor();
    expect(await seen.page.locator('section.content .checked-here.ok').count()).toBe(0);
    await seen.close();
  });

  it('can be ended by the owner, whom the page shows each key of an app', async () => {
    const { scene } = world();
    const owner = wordsSigner();
    const own = fromAppKey({ avatar: owner.avatar, algorithm: 'es256', privateKey: new Uint8Array(32).fill(25) });
    const scopes = [`kv:github:${GITHUB}`];
    await scene.client.keys.add({ signer: owner, app: { ...own, origin: 'https://app.example' }, scopes });
    const seen = await visit(`${scene.baseUrl}/recovery/${owner.avatar}`);
    const { page } = seen;

    await page.getByText(`May write: GitHub ${GITHUB}, until`).waitFor();
    await page.getByText('https://app.example').waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await press(page, 'End this key');
    await useWords(page);
    await page.getByText('You end the key of an app, for good.').waitFor();
    await press(page, 'Sign this text');
    await page.getByText('Apps that may write for you').waitFor({ state: 'detached' });
    const { state } = await scene.client.keys.state(owner.avatar);
    expect(state.appKeys[own.key]!.revoked).not.toBeNull();
    await seen.close();
  });

  it('is that of the last change which its owner names, where another key has come after', async () => {
    const { scene } = world();
    const { keys, kv } = scene.client;
    const [own, thiefs] = await kv.chain(carol.avatar).toArray();
    const paper = fromPrivateKey(new Uint8Array(32).fill(23));
    await keys.commit({ signer: carol, recovery: [await keys.nameOf(paper)] });
    const successor = fromPrivateKey(new Uint8Array(32).fill(24));
    await keys.succeed({ signer: carol, cosigner: paper, successor, sincePatch: own!.uuid });
    const seen = await visit(`${scene.baseUrl}/a/${carol.avatar}`);
    const content = seen.page.locator('section.content');

    expect(thiefs!.patch).toEqual({ b: 'by the app' });
    await content.locator('.checked-here.ok').waitFor();
    await content.getByText('by carol').first().waitFor();
    expect(await content.locator('.entries').getByText('by the app').count()).toBe(0);
    await seen.close();
  });

  it('names no key by what a thief has written, in lists, in files and on other sites', async () => {
    const { baseUrl, client } = world().scene;
    const [dora, paper, successor] = [26, 27, 28].map((byte) => fromPrivateKey(new Uint8Array(32).fill(byte)));
    const own = { platform: 'self', identity: dora!.avatar, signer: dora! } as const;
    await client.keys.commit({ signer: dora!, recovery: [await client.keys.nameOf(paper!)] });
    await client.bind({ platform: 'ethereum', identity: dora!.address, signer: dora! });
    await client.kv.patch({ ...own, patch: { profile: { name: 'Dora' } } });
    const [last] = await client.kv.chain(dora!.avatar).toArray();
    await client.kv.patch({ ...own, patch: { profile: { name: 'Mallory' } } });
    await client.keys.succeed({ signer: dora!, cosigner: paper!, successor: successor!, sincePatch: last!.uuid });

    for (const path of [`/p/ethereum/${dora!.address}`, `/?q=${dora!.address}`]) {
      const seen = await visit(baseUrl + path);
      await seen.page.locator('.profile-name').waitFor();
      expect(await seen.page.locator('.profile-name').allInnerTexts()).toEqual(['Dora']);
      await seen.close();
    }
    const seen = await visit(`${baseUrl}/verify`);
    const buffer = Buffer.from(JSON.stringify(await client.export(dora!.avatar)));
    await seen.page.setInputFiles('#export-file', { name: 'x.json', mimeType: 'application/json', buffer });
    await seen.page.locator('.file-result > .checked-here.ok').waitFor();
    expect(await seen.page.locator('.file-result .profile-name').allInnerTexts()).toEqual(['Dora']);
    await seen.close();

    const asked = { server: baseUrl, platform: 'ethereum', identity: dora!.address, avatar: '' };
    const found = await findBinding(asked, AbortSignal.timeout(300_000));
    expect(found).toMatchObject({ here: 'checked', hold: 'moved', profile: null });
  });
});
