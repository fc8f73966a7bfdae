import type { Page } from 'playwright-core';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { isLongRun } from '../support/tier.js';
import { until } from '../support/until.js';
import { NO_PAGE, type Visit } from './browser.js';
import { describeScene } from './describe-scene.js';
import { type Answer, flipped, type LyingProxy } from './lying-proxy.js';
import { GITHUB, type Scene } from './scene.js';
import { counts, openWithin, twins } from './shown.js';

/** The members of a link that its signature or its place in the chain covers, and how each is changed by one byte. */
const LINK_LIES: [string, (link: Answer) => void][] = [
  ['action', (link) => (link.action = flipped(link.action))],
  ['platform', (link) => (link.platform = flipped(link.platform))],
  ['identity', (link) => (link.identity = flipped(link.identity))],
  // Not signed: the log holds the hash of a link with it.
  ['proof_location', (link) => (link.proof_location = `${link.proof_location}1`)],
  ['created_at', (link) => (link.created_at = flipped(link.created_at))],
  ['uuid', (link) => (link.uuid = flipped(link.uuid))],
  ['signature', (link) => (link.signature = flipped(link.signature))],
  ['signature_payload', (link) => (link.signature_payload = flipped(link.signature_payload))],
  ['extra.wallet_signature', ({ extra }) => (extra.wallet_signature = flipped(extra.wallet_signature))],
];
const PATCH_LIES: [string, (patch: Answer) => void][] = [
  ['platform', (patch) => (patch.platform = flipped(patch.platform))],
  ['identity', (patch) => (patch.identity = flipped(patch.identity))],
  ['patch', (patch) => (patch.patch.name = flipped(patch.patch.name))],
  ['created_at', (patch) => (patch.created_at += 1)],
  ['uuid', (patch) => (patch.uuid = flipped(patch.uuid))],
  ['signature', (patch) => (patch.signature = flipped(patch.signature))],
  ['signature_payload', (patch) => (patch.signature_payload = flipped(patch.signature_payload))],
];

/**
 * What `npm test` changes: for each kind of check of the page one member. That a verifier notices each member is what
 * the tests of `packages/verify` show.
 */
const LIES_OF_TIER = isLongRun
  ? { link: LINK_LIES, patch: PATCH_LIES }
  : {
      link: of(LINK_LIES, ['identity', 'proof_location', 'signature', 'extra.wallet_signature']),
      patch: of(PATCH_LIES, ['patch', 'signature']),
    };

/** The lies about these members. */
function of(lies: typeof LINK_LIES, members: string[]): typeof LINK_LIES {
  return lies.filter(([member]) => members.includes(member));
}

/** Remembers whatever was shown in red, if only for a moment. */
const REMEMBER_RED = `
  globalThis.__red = new Set();
  new MutationObserver(() => {
    for (const sign of document.querySelectorAll('.stamp.failed, .state.hidden')) __red.add(sign.parentElement.textContent);
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

/** Moves to another address of the page as soon as it is rendered, before the first frame was drawn. */
const moveBeforeFirstFrame = (path: string) => `
  const original = globalThis.requestAnimationFrame;
  globalThis.requestAnimationFrame = (draw) => {
    globalThis.requestAnimationFrame = original;
    queueMicrotask(() => {
      history.pushState(null, '', '${path}');
      dispatchEvent(new Event('popstate'));
    });
    return original(draw);
  };`;

describeScene('looking things up', (visit, world) => {
  let scene: Scene;
  let proxy: LyingProxy;
  beforeAll(() => {
    ({ scene, proxy } = world());
  });

  const avatarPage = () => `/a/${scene.alice.avatar}`;
  const summary = (page: Page) => page.locator('.summary .checked-here').first();

  it('lets every member of a link that is signed be changed in a test', async () => {
    const [first] = await scene.client.chain(scene.alice.avatar).toArray({ limit: 1 });

    const unsigned = ['extra', 'archive_id'];
    const named = LINK_LIES.map(([member]) => member).filter((member) => !member.startsWith('extra.'));
    expect(Object.keys(first!).sort()).toEqual([...named, ...unsigned].sort());
  });

  it('finds a name by keyboard alone, exactly this one first and similar ones apart', async () => {
    const seen = await visit(`${scene.baseUrl}/`);
    const { page } = seen;
    await page.getByRole('searchbox').waitFor();

    await reachByTab(page, 'searchbox');
    await page.keyboard.type('alice-demo');
    await page.keyboard.press('Enter');
    const exact = page.locator('.results').first();
    await exact
      .getByRole('link', { name: `GitHub ${GITHUB}` })
      .first()
      .waitFor();

    await counts(exact.locator('.found > li'), 2);
    await page.goto(`${scene.baseUrl}/?q=alice`);
    const similar = page.locator('.results.similar');
    await similar
      .getByRole('link', { name: `GitHub ${GITHUB}` })
      .first()
      .waitFor();
    expect(await page.locator('.results').first().locator('.found').count()).toBe(0);
    await reachByTab(page, 'link', /alice/);
    await page.keyboard.press('Enter');
    await page.locator('.holder').first().waitFor();
    await until(async () => (await page.evaluate<string>('document.activeElement.tagName')) === 'H1');
    await seen.close();
  });

  it('leads from a key in any spelling to its page, where everything was checked and is green', async () => {
    const upper = `0x${scene.alice.avatar.slice(2).toUpperCase()}`;
    const seen = await visit(`${scene.baseUrl}/?q=${upper}`);
    const { page } = seen;

    await page.locator('.summary .checked-here.ok').first().waitFor();
    await page.locator('.content > .checked-here.ok').waitFor();
    await page.getByText('5 of 5 found in the public log').waitFor();
    expect(new URL(page.url()).pathname).toBe(avatarPage());
    expect(await page.locator('.chain > li.failed').count()).toBe(0);
    await counts(page.locator('.bindings .binding .checked-here.ok'), 3);
    await seen.close();
  });

  it('follows the browser to another address before it has drawn its first frame', async () => {
    const seen = await visit(`${scene.baseUrl}/verify`, { before: moveBeforeFirstFrame(avatarPage()) });

    await seen.page.locator('.summary .checked-here.ok').first().waitFor();
    await seen.close();
  });

  it('leads from the uuid of a link to the page of its key', async () => {
    const [link] = await scene.client.chain(scene.bob.avatar).toArray({ limit: 1 });
    const seen = await visit(`${scene.baseUrl}/?q=${link!.uuid}`);

    await seen.page.locator('.summary .checked-here.ok').first().waitFor();
    expect(new URL(seen.page.url()).pathname).toBe(`/a/${scene.bob.avatar}`);
    await seen.close();
  });

  it('unfolds a link into what the server says and the steps that were made here', async () => {
    const seen = await visit(`${scene.baseUrl}${avatarPage()}`);
    const { page } = seen;
    const link = page.locator('.links .chain > li').nth(1);

    await link.locator('summary').focus();
    await page.keyboard.press('Enter');
    const steps = link.locator('.checked .steps li');
    await steps.first().waitFor();

    await link.getByRole('link', { name: 'About the log' }).waitFor();
    await steps.filter({ hasText: 'Signature' }).locator('.stamp.ok').nth(0).waitFor({ state: 'attached' });
    await counts(steps.filter({ hasText: 'Post' }).locator('.stamp.not_checkable'), 1);
    expect(await link.locator('.said').innerText()).toContain(`"identity":"demo-instance.org"`);
    expect(await link.locator('.said .stamp').count()).toBe(0);
    await counts(page.getByRole('button', { name: 'Look myself' }), 2);
    expect(await twins(page)).toEqual([]);
    await seen.close();
  });

  it('shows what is bound while it looks, without being loaded again', async () => {
    const seen = await visit(`${scene.baseUrl}/a/${scene.bob.avatar}`);
    const { page } = seen;
    await page.locator('.summary .checked-here.ok').first().waitFor();
    await page.getByText('Nothing yet.').waitFor();
    const before = await page.locator('.links .chain > li').count();

    await scene.bind(scene.bob, 'twitter');
    await page.locator('.bindings').getByText('alice_demo').waitFor();
    await until(async () => (await page.locator('.links .chain > li').count()) === before + 1);

    expect(await page.locator('.live li').first().innerText()).toContain('X (Twitter)');
    await seen.close();
  });

  describe('one byte that was changed on the way', () => {
    let seen: Visit;
    let page: Page;
    beforeAll(async () => {
      seen = await visit(`${proxy.baseUrl}/verify`);
      ({ page } = seen);
    });
    afterAll(() => seen.close());

    it.each(LIES_OF_TIER.link)('is red in the %s of a link', async (_member, lie) => {
      proxy.lie = (path, { proof_chain: links }) => {
        if (path.startsWith('/v1/proofchain?')) lie(links.find(({ platform }: Answer) => platform === 'ethereum'));
      };

      await openWithin(page, avatarPage());
      await page.locator('.summary .checked-here.failed').first().waitFor();
      await page.locator('.chain > li.failed').nth(0).waitFor({ state: 'attached' });
    });

    it.each(LIES_OF_TIER.patch)('is red in the %s of a patch', async (_member, lie) => {
      proxy.lie = (path, { kv_chain: patches }) => {
        if (path.startsWith('/v1/kv/chain')) lie(patches[0]);
      };

      await openWithin(page, avatarPage());
      await page.locator('.content > .checked-here.failed').waitFor();
    });
  });

  it('shows red where content, or a binding, has no signature', async () => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/kv?')) answer.proofs[0].content.name = 'Mallory';
      if (!path.startsWith('/v1/proof?')) return;
      for (const group of answer.ids)
        group.proofs.push({ ...group.proofs[0], platform: 'github', identity: 'mallory' });
    };
    // The server itself does not know what was invented on the way.
    const seen = await visit(`${proxy.baseUrl}${avatarPage()}`, {
      expected: [/404.*proof\/(history|evidence).*mallory/],
    });

    await seen.page.locator('.content > .checked-here.failed').waitFor();
    const invented = seen.page.locator('.binding').filter({ hasText: 'mallory' });
    await invented.locator('.checked-here.failed').waitFor();
    expect(await summary(seen.page).getAttribute('class')).toContain('ok');
    await seen.close();
  });

  it('shows nothing in red where what it reads changes between two answers', async () => {
    const asked = new Set<string>();
    /** Changes the first answer of a path to what it was before. */
    const onceBefore = (name: string, undo: (answer: Answer) => void) => (path: string, answer: Answer) => {
      if (!path.startsWith(`${name}?`) || asked.has(name)) return;
      asked.add(name);
      undo(answer);
    };
    const lies = [
      onceBefore('/v1/proof', ({ ids }) => (ids[0].proofs = ids[0].proofs.filter(isNotWallet))),
      onceBefore('/v1/kv', ({ proofs }) => delete proofs[0].content.about),
    ];
    proxy.lie = (path, answer) => lies.forEach((lie) => lie(path, answer));
    const seen = await visit(`${proxy.baseUrl}${avatarPage()}`, { before: REMEMBER_RED });
    const { page } = seen;
    await page.locator('.content > .checked-here.ok').waitFor();
    await page.locator('.bindings .binding').nth(2).locator('.checked-here.ok').waitFor();
    expect([...asked].sort()).toEqual(['/v1/kv', '/v1/proof']);
    expect(await page.evaluate('[...__red]')).toEqual([]);

    asked.clear();
    proxy.lie = onceBefore('/v1/proofchain', (answer) => (answer.proof_chain = answer.proof_chain.slice(0, 3)));
    await page.goto(`${proxy.baseUrl}/p/ethereum/${scene.alice.address}`);
    await page.locator('.holder .checked > .checked-here.ok').waitFor();
    expect(asked.size).toBe(1);
    expect(await page.evaluate('[...__red]')).toEqual([]);
    await seen.close();
  });

  it('looks for a link beyond the newest forty in the log when it is unfolded', async () => {
    const frank = anAvatar('frank');
    for (let count = 0; count < 42; count++) await linkWallet(scene.running, frank, aWallet(`frank ${count}`));
    const seen = await visit(`${scene.baseUrl}/a/${frank.key.compressed}`);
    const { page } = seen;
    await page.getByText('40 of 42 were looked for in the log so far, 40 found.').waitFor();

    const oldest = page.locator('.links .chain > li').first();
    await oldest.locator('summary').click();
    await oldest.getByText('The log holds exactly this').waitFor();

    await page.getByText('41 of 42 were looked for in the log so far, 41 found.').waitFor();
    await seen.close();
  });

  it('says that it is checking while the server is slow, and what came of it then', async () => {
    proxy.delayMs = 0;
    const seen = await visit(`${proxy.baseUrl}/verify`);
    proxy.delayMs = 400;
    await openWithin(seen.page, avatarPage());

    await seen.page.locator('.summary .checked-here.waiting').first().waitFor();
    await seen.page.locator('.summary .checked-here.ok').first().waitFor();
    proxy.delayMs = 0;
    await seen.close();
  });

  it('does not scroll sideways on a phone whose text is twice as large', async () => {
    const seen = await visit(scene.baseUrl + NO_PAGE, { width: 390 });
    for (const [path, settled] of [
      ['/', '.introduction'],
      ['/bind', '.platforms'],
      [avatarPage(), '.content > .checked-here.ok'],
      [`/p/github/${GITHUB}`, '.checked .folded-steps'],
    ] as const) {
      await seen.page.goto(scene.baseUrl + path);
      await seen.page.evaluate("document.documentElement.style.fontSize = '32px'");
      await seen.page.locator(settled).first().waitFor();
      expect([path, await seen.scrollsSideways()]).toEqual([path, false]);
    }
    await seen.close();
  });

  it('shows the name of a signed profile wherever its key is shown, and none that the server made up', async () => {
    const self = { platform: 'self', identity: scene.alice.avatar, signer: scene.alice };
    await scene.client.kv.patch({ ...self, patch: { profile: { name: 'Alice Seal', about: 'Collects seals.' } } });
    const file = JSON.stringify(await scene.client.export(scene.alice.avatar));
    const seen = await visit(`${proxy.baseUrl}/?q=${GITHUB}`);
    const { page } = seen;
    const keyOfAlice = page.locator('.found-key').filter({ hasText: scene.alice.avatar.slice(0, 6) });
    await keyOfAlice.getByText('Alice Seal').waitFor();
    await counts(page.locator('.found-key').getByText('Alice Seal'), 1);
    await page.goto(`${proxy.baseUrl}/p/github/${GITHUB}`);
    await page.locator('.holder h2').getByText('Alice Seal').waitFor();
    await page.getByText('Collects seals.').waitFor();
    await page.goto(`${proxy.baseUrl}/verify`);
    const buffer = Buffer.from(file);
    await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    await page.locator('.file-result').getByText('Alice Seal').first().waitFor();

    let lies = 0;
    proxy.lie = (path, answer) => {
      if (!path.startsWith('/v1/kv/chain')) return;
      lies++;
      Object.assign(answer, JSON.parse(JSON.stringify(answer).replaceAll('Alice Seal', 'Mallory')));
    };
    await page.goto(`${proxy.baseUrl}/p/github/${GITHUB}`);
    await page.locator('.checked .folded-steps').nth(1).waitFor();
    await until(() => Promise.resolve(lies >= 2));
    await page.locator('main > .checked-here.ok').waitFor();
    expect(await page.getByText(/Mallory|Alice Seal/).count()).toBe(0);
    await seen.close();
  });

  it('says of a binding of this week that it is new, wherever it is shown, and of an older one nothing', async () => {
    const later = (days: number) => `{ const own = Date.now; Date.now = () => own() + ${days} * 86_400_000; }`;
    const views: [string, string][] = [
      [`/?q=${GITHUB}`, '.found'],
      [avatarPage(), '.bindings li'],
      [`/p/github/${GITHUB}`, '.checked .folded-steps'],
    ];
    for (const [days, isNew] of [
      [6.9, true],
      [7.1, false],
    ] as const) {
      const seen = await visit(scene.baseUrl + NO_PAGE, { before: later(days) });
      for (const [path, settled] of views) {
        await seen.page.goto(scene.baseUrl + path);
        await seen.page.locator(settled).first().waitFor();
        const notices = await seen.page.getByText('New: connected less than a week ago.').count();
        expect([path, notices > 0]).toEqual([path, isNew]);
      }
      await seen.close();
    }
  });

  it('has no serious problem for anybody, fits 320 px, and is right in the dark, on every view', async () => {
    const views: [string, string][] = [
      ['/', '.introduction'],
      [`/?q=${GITHUB}`, '.found'],
      [avatarPage(), '.content > .checked-here.ok'],
      [`/p/github/${GITHUB}`, '.checked .folded-steps'],
      ['/verify', '.drop-zone'],
      ['/example', '.file-result'],
      ['/transparency', '.log-entries'],
    ];
    const seen = await visit(scene.baseUrl + NO_PAGE);
    for (const [path, settled] of views) await expectGoodView(seen, scene.baseUrl + path, settled);
    await seen.close();
  });
});

function isNotWallet({ platform }: { platform: string }): boolean {
  return platform !== 'ethereum';
}

/** How each view is looked at. */
const LOOKS = [
  { width: 320, colorScheme: 'dark' as const },
  { width: 1280, colorScheme: 'light' as const },
];

/** Opens a view, unfolds all of it, and looks for problems in each look. */
async function expectGoodView(seen: Visit, url: string, settled: string): Promise<void> {
  const { page } = seen;
  await page.goto(url);
  await page.locator(settled).first().waitFor();
  await page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))");
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect([url, width, await seen.seriousProblems()]).toEqual([url, width, []]);
    expect([url, width, await seen.scrollsSideways()]).toEqual([url, width, false]);
  }
}

/** Presses Tab until something of this role and name has the focus. */
async function reachByTab(page: Page, role: 'searchbox' | 'link' | 'button', name: RegExp = /(?:)/): Promise<void> {
  const target = page.locator('main').getByRole(role, { name }).first();
  for (let presses = 0; presses < 60; presses++) {
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No ${role} ${String(name)} can be reached by keyboard.`);
}
