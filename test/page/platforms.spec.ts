import type { DraftState } from '@signet/sdk';
import type { Page } from 'playwright-core';
import { describePage, type Visit } from './browser.js';
import { type Answer, type LyingProxy, startLyingProxy } from './lying-proxy.js';
import { GITHUB, type Scene, startScene } from './scene.js';

const GIST_PAGE = /^https:\/\/gist\.github\.com\/alice-demo\/[0-9a-f]{32}$/;
/** What the API of GitHub calls the address of the gist, which the server has seen. */
const EVIDENCE = 'https://gist.github.com/0123456789abcdef0123456789abcdef';
const NEW_MEMBERS = ['label', 'profile_urls', 'post_url', 'compose_url', 'file_name'];

describePage('what the page says about platforms', (visit) => {
  let scene: Scene;
  let proxy: LyingProxy;
  let draft: DraftState;
  beforeAll(async () => {
    scene = await startScene();
    proxy = await startLyingProxy(scene.baseUrl);
    draft = (await scene.client.draft({ platform: 'github', identity: GITHUB, signer: scene.alice })).toJSON();
  });
  afterAll(async () => {
    await proxy?.close();
    await scene?.close();
  });

  /** Changes the entry of GitHub in `GET /v1/platforms`. */
  const lieAboutGithub = (change: (entry: Answer, platforms: Answer[]) => void) => {
    proxy.lie = (path, { platforms }) => {
      if (path !== '/v1/platforms') return;
      change(
        platforms.find(({ platform }: Answer) => platform === 'github'),
        platforms,
      );
    };
  };
  /** The step at which a draft is published, which needs no key. */
  const publishing = (state: DraftState): Promise<Visit> => {
    const kept = JSON.stringify(JSON.stringify(state));
    const before = `if (location.pathname === '/bind') localStorage.setItem('signet-draft', ${kept})`;
    return visit(`${proxy.baseUrl}/bind`, { before });
  };
  const heading = (page: Page) => page.locator('.publish-step h2').innerText();
  const postLink = (page: Page) => page.locator(`a[href^="https://gist.github.com/${GITHUB}/"]`);
  const openLink = (page: Page) => page.locator('.publish-step a.button');
  const steps = (page: Page) => page.locator('.platform-steps');

  it('has an icon of its own for each platform, those that the first view does not show in a file of their own', async () => {
    proxy.lie = null;
    const { platforms } = (await scene.running.get('/v1/platforms')).body;
    const known = platforms.filter((one: Answer) => one.is_available).map(({ platform }: Answer) => platform);
    const seen = await visit(`${scene.baseUrl}/bind`);
    const icons = seen.page.locator('.platforms .platform-icon use');
    await icons.first().waitFor();
    const shown = await Promise.all((await icons.all()).map(async (icon) => (await icon.getAttribute('href'))!));
    const files = new Map<string, string>();
    for (const file of ['/platform-icons.svg', '/further-platform-icons.svg']) {
      files.set(file, await (await fetch(scene.baseUrl + file)).text());
    }

    expect(shown.map((href) => href.split('#')[1]).sort()).toEqual([...known].sort());
    for (const href of shown) {
      const [file, name] = href.split('#');
      expect(files.get(file!)).toContain(`<symbol id="${name}"`);
    }
    await seen.close();
  });

  it('is the name, the file and the addresses that the server answers', async () => {
    proxy.lie = null;
    const seen = await publishing(draft);
    await steps(seen.page).waitFor();

    expect(await heading(seen.page)).toBe(`GitHub ${GITHUB}`);
    expect(await openLink(seen.page).innerText()).toBe('Open GitHub');
    expect(await openLink(seen.page).getAttribute('href')).toBe('https://gist.github.com/');
    await seen.page.getByText(`${scene.alice.avatar}.json`).waitFor();
    await seen.page.goto(`${proxy.baseUrl}/p/github/${GITHUB}`);
    await postLink(seen.page).first().waitFor();
    expect(await postLink(seen.page).first().getAttribute('href')).toMatch(GIST_PAGE);
    await seen.page.goto(`${proxy.baseUrl}/?q=www.github.com/${GITHUB}/`);
    await seen.page.locator(`a[href^="/p/github/${GITHUB}"]`).first().waitFor();
    await seen.close();
  });

  it('is a failure with a second try where the list does not come', async () => {
    proxy.lie = null;
    const seen = await visit(`${proxy.baseUrl}/nowhere`, { expected: [/404/, /503/] });
    const { page } = seen;
    const busy = { code: 'overloaded', message: 'The server has too much to do.' };
    await page.route('**/v1/platforms', (route) => route.fulfill({ status: 503, json: busy }));
    await page.goto(`${proxy.baseUrl}/bind`);
    await page.locator('.account-step .failure').getByText(busy.message).waitFor();
    await page.unroute('**/v1/platforms');
    await page.locator('.account-step .failure').getByRole('button', { name: 'Try again' }).click();

    await page.locator('.account-step .failure').waitFor({ state: 'detached' });
    await page.locator('.platform-choice').getByText('GitHub').waitFor();
    await seen.close();
  });

  it('is a drawing of where the text goes, with a caption for each of its numbers', async () => {
    proxy.lie = null;
    const seen = await visit(`${proxy.baseUrl}/bind`);
    const { page } = seen;
    const drawn = new Set<string>();
    for (const platform of ['github', 'keybase', 'twitter', 'discord', 'dns', 'dotbit', 'minds', 'activitypub']) {
      await page.goto(`${proxy.baseUrl}/bind?platform=${platform}`);
      await page.getByText('What comes next on this platform').click();
      const drawing = page.locator('.platform-drawing');
      await drawing.locator('li').first().waitFor();
      const numbers = await drawing.locator('.mark').allTextContents();
      expect([platform, numbers.sort()]).toEqual([platform, numbers.map((_, index) => String(index + 1))]);
      expect([platform, await drawing.locator('li').count()]).toEqual([platform, numbers.length]);
      drawn.add((await drawing.locator('li').allTextContents()).join());
    }
    // Those on which a post is published look alike but for their names and addresses.
    expect(drawn.size).toBe(5);
    await seen.close();
  });

  it('is its plain name for an older server, and no link', async () => {
    lieAboutGithub((_entry, platforms) => {
      for (const entry of platforms) for (const member of NEW_MEMBERS) delete entry[member];
    });
    const seen = await publishing(draft);
    await steps(seen.page).waitFor();

    expect(await heading(seen.page)).toBe(`github ${GITHUB}`);
    expect(await openLink(seen.page).count()).toBe(0);
    expect(await seen.page.getByText('Name of the file').count()).toBe(0);
    await seen.page.goto(`${proxy.baseUrl}/p/github/${GITHUB}`);
    await seen.page.locator('.overline').getByText('github', { exact: true }).waitFor();
    await seen.page.locator(`a[href="${EVIDENCE}"]`).first().waitFor({ state: 'attached' });
    expect(await postLink(seen.page).count()).toBe(0);
    await seen.close();
  });

  it('leads nowhere else, and shows no markup, where a server lies', async () => {
    lieAboutGithub((entry) => {
      entry.label = '<img src=x onerror=alert(1)>';
      entry.compose_url = 'javascript:alert(1)';
      entry.post_url = 'https://{identity}.evil.example/{location}';
      entry.file_name = 7;
    });
    const seen = await publishing(draft);
    await steps(seen.page).waitFor();

    expect(await heading(seen.page)).toBe(`<img src=x onerror=alert(1)> ${GITHUB}`);
    expect(await openLink(seen.page).count()).toBe(0);
    await seen.page.goto(`${proxy.baseUrl}/p/github/${GITHUB}`);
    await seen.page.locator(`a[href="${EVIDENCE}"]`).first().waitFor({ state: 'attached' });
    expect(await seen.page.locator('a[href*="evil"], a[href^="javascript"]').count()).toBe(0);
    await seen.close();
  });

  it('is enough to bind on a platform of which the page knows nothing', async () => {
    lieAboutGithub((entry, platforms) => {
      platforms.push({
        ...entry,
        ...{ platform: 'gitforge', label: 'Git Forge', file_name: '{avatar}.txt' },
        compose_url: 'https://forge.example/new?text={text}',
        steps: ['Ask for the payload.', 'Put the signature in place of %SIG_BASE64%.', 'Make a public snippet.'],
      });
    });
    const seen = await publishing({ ...draft, platform: 'gitforge' });
    await steps(seen.page).waitFor();

    expect(await heading(seen.page)).toBe(`Git Forge ${GITHUB}`);
    expect(await openLink(seen.page).getAttribute('href')).toMatch(/^https:\/\/forge\.example\/new\?text=\S+$/);
    expect(await steps(seen.page).innerText()).toContain('Publish the text from this account on Git Forge');
    expect(await steps(seen.page).locator('.steps-of-platform li').allInnerTexts()).toEqual(['Make a public snippet.']);
    await steps(seen.page).locator('.steps-of-platform li').waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await seen.close();
  });
});
