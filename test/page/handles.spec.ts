import { describePage } from './browser.js';
import { type Scene, startScene } from './scene.js';
import { counts } from './shown.js';

const HANDLE = 'alice.demo-instance.org';

describePage('handles of Bluesky', (visit) => {
  let scene: Scene;
  let did: string;
  beforeAll(async () => {
    scene = await startScene();
    await scene.bind(scene.alice, 'bluesky');
    did = scene.platforms.describe('bluesky').identity;
  });
  afterAll(() => scene?.close());

  it('are hints on the page of an account, with the time of the look', async () => {
    const seen = await visit(`${scene.baseUrl}/p/bluesky/${encodeURIComponent(did)}`);
    const hint = seen.page.locator('.identity-head').getByText(HANDLE);
    await hint.waitFor();

    await counts(seen.page.locator('.identity-head time'), 1);
    await seen.close();
  });

  it.each([
    ['a search', `/?q=${HANDLE}`],
    ['a search with the platform', `/?q=bluesky:${HANDLE}`],
    ['the address of a name', `/p/bluesky/${HANDLE}`],
    ['a short address', `/@${HANDLE}`],
  ])('lead to the account from %s', async (_what, path) => {
    const seen = await visit(scene.baseUrl + path);
    await seen.page
      .locator(`a[href="/p/bluesky/${encodeURIComponent(did)}"]`)
      .first()
      .waitFor();

    await seen.close();
  });

  it('that nobody bears are said to be of nobody', async () => {
    const seen = await visit(`${scene.baseUrl}/p/bluesky/nobody.demo-instance.org`, { expected: [/40[04]/] });
    const notice = seen.page.getByText(/no account has the name|could not be reached|cannot be/);
    await notice.first().waitFor();

    await seen.close();
  });

  it('are taken for a draft, which is made for the account', async () => {
    const draft = await scene.client.draft({ platform: 'bluesky', identity: `@${HANDLE}`, signer: scene.bob });

    expect(draft.identity).toBe(did);
  });
});
