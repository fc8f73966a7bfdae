import { fromPrivateKey } from '@signet/sdk';
import type { Page } from 'playwright-core';
import { anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';
import { type Answer, flipped, type LyingProxy } from './lying-proxy.js';
import { GITHUB, type Scene } from './scene.js';
import { BAD_WITNESS, GOOD_WITNESS } from './witness-in-test.js';
import { NO_PAGE } from './browser.js';
import { describeScene } from './describe-scene.js';
import { counts, openWithin, twins } from './shown.js';

/** Links that the page looks up in the log at the same time. */
const AT_ONCE = 4;

/** How each language says that one key holds a name, and that two do. */
const KEYS_THAT_HOLD_A_NAME: [language: string, one: string, two: string][] = [
  ['zh', '共有 1 个密钥持有此名称，没有更多', '共有 2 个密钥持有此名称，没有更多'],
  ['ja', 'この名前を持つ鍵は 1 個で、ほかにはありません', 'この名前を持つ鍵は 2 個で、ほかにはありません'],
  ['ko', '이 이름을 가진 키는 1개이고 더는 없습니다', '이 이름을 가진 키는 2개이고 더는 없습니다'],
  ['de', 'Der einzige Schlüssel, der diesen Namen hat', '2 Schlüssel haben diesen Namen, und keine weiteren'],
  ['fr', 'La seule clé qui détienne ce nom', '2 clés détiennent ce nom, et aucune autre'],
  ['es', 'La única clave que tiene este nombre', '2 claves tienen este nombre, y ninguna más'],
  ['pt', 'A única chave que tem este nome', '2 chaves têm este nome, e mais nenhuma'],
  ['en', 'The only key that holds this name', '2 keys hold this name, and no others'],
];

/** Remembers what was said in green of the keys of a name, if only for a moment. */
const REMEMBER_GREEN = `
  globalThis.__green = new Set();
  new MutationObserver(() => {
    for (const sign of document.querySelectorAll('.checked-here.ok')) __green.add(sign.textContent);
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

/** What the view of the log shows, on a scene with witnesses and a proxy in front of it. */
describeScene('the view of the log', (visit, world) => {
  it('shows the log with what was checked here, what it remembers of it, its witnesses and its newest entries', async () => {
    const { scene } = world();
    const { verifier_key: key } = (await scene.running.get('/v1/log')).body;
    const seen = await visit(`${scene.baseUrl}/`);
    const { page } = seen;
    await page.getByRole('link', { name: 'Public log', exact: true }).click();
    await page.getByText('This browser sees this log for the first time, and remembers it').waitFor();
    await page.getByText(key, { exact: true }).waitFor();
    const witness = (name: string) => page.locator('.witnesses li').filter({ hasText: name });
    // A witness signs a tree a moment after it was published.
    for (let looks = 0; (await page.getByText('Enough of them have signed, up to').count()) === 0; looks++) {
      if (looks === 100) throw new Error('The signatures of the witnesses are never shown as enough.');
      await page.getByRole('button', { name: 'Look again' }).click();
      await page.getByText('They continue what this browser has seen before.').waitFor();
    }
    await witness(GOOD_WITNESS).locator('.stamp.ok').waitFor();
    await witness(BAD_WITNESS).getByText('It has never signed.').waitFor();
    await counts(witness(BAD_WITNESS).locator('.stamp.not_checkable'), 1);
    await page.getByText(/The newest \d+ entries lead to the root that the log signed/).waitFor();
    const entries = page.locator('.log-entries li');
    await until(async () => (await entries.locator('.stamp.ok').count()) === (await entries.count()));
    // The newest entry of each tree head is the root of the map, which says nothing of anybody and is folded.
    const newest = entries.first();
    expect(await newest.textContent()).not.toContain('State of all keys and names');
    const folded = page.locator('.entries-of-log details');
    await folded
      .locator('summary')
      .getByText(/states? of all keys and names/)
      .click();
    await folded.locator('li').getByText('State of all keys and names').first().waitFor();
    expect(await newest.locator('time').getAttribute('datetime')).toMatch(/^20\d\d-/);
    expect(await twins(page)).toEqual([]);
    expect(await page.getByText('of a kind that this page does not know').count()).toBe(0);
    await entries
      .getByRole('link')
      .filter({ hasText: scene.bob.avatar.slice(0, 6) })
      .first()
      .click();
    await page.waitForURL(`**/a/${scene.bob.avatar}`);
    await seen.close();
  });

  it('claims nothing of a log where the server keeps none, and asks it once', async () => {
    const { scene } = world();
    const seen = await visit(scene.baseUrl + NO_PAGE, { expected: [/404 \(Not Found\)/] });
    const { page } = seen;
    let asked = 0;
    await page.route(/\/(v1\/)?log(\/|$)/, (route) => {
      asked++;
      return route.fulfill({ status: 404, json: { message: 'Cannot GET it', code: 'not_found' } });
    });
    await page.goto(`${scene.baseUrl}/a/${scene.alice.avatar}`);

    await page.locator('.summary').getByText('This server keeps no log.').waitFor();
    expect(await page.locator('.summary').textContent()).toMatch(/ statements, says the server\.$/);
    // The map is asked once beside them.
    expect(asked).toBeLessThanOrEqual(AT_ONCE + 1);

    await page.goto(`${scene.baseUrl}/?q=00000000-0000-4000-8000-000000000000`);
    await page.getByText('a UUID cannot be looked up here').waitFor();
    await seen.close();
  });

  it('shows red where the server denies a log that this browser remembers', async () => {
    const { scene } = world();
    const seen = await visit(`${scene.baseUrl}/transparency`, { expected: [/404 \(Not Found\)/] });
    const { page } = seen;
    await page.locator('.summary .checked-here.ok').waitFor();
    await page.route(/\/(v1\/)?log(\/|$)/, (route) =>
      route.fulfill({ status: 404, json: { message: 'Cannot GET it', code: 'not_found' } }),
    );

    await page.reload();
    await page.locator('.checked-here.failed').getByText('now the server says that it keeps none').waitFor();
    await page.goto(`${scene.baseUrl}/a/${scene.alice.avatar}`);
    await page.locator('.summary .checked-here.failed').getByText('now the server says that it keeps none').waitFor();
    await page.locator('.bindings .checked-here.failed').first().waitFor();
    // The signatures are right, and the page does not say otherwise.
    expect(await page.locator('main').textContent()).not.toMatch(/do(es)? not verify|is not what the key signed/);
    await page.goto(`${scene.baseUrl}/p/github/${GITHUB}`);
    await page.locator('main > .checked-here.failed').getByText('now the server says that it keeps none').waitFor();
    await seen.close();
  });

  it('shows red where the newest link of a key is left out, and says otherwise that there are no more', async () => {
    const { scene, proxy } = world();
    const path = `/v1/proofchain?public_key=${scene.alice.avatar}`;
    const { proof_chain: links } = (await scene.running.get(path)).body;
    proxy.lie = (asked, body) => {
      if (!asked.startsWith('/v1/proofchain?')) return;
      body.proof_chain = body.proof_chain.filter(({ uuid }: { uuid: string }) => uuid !== links.at(-1).uuid);
      body.pagination.total -= 1;
    };
    const seen = await visit(`${proxy.baseUrl}/a/${scene.alice.avatar}`);
    const { page } = seen;

    await page.locator('.summary .checked-here.ok').first().waitFor();
    const summary = page.locator('.summary');
    await summary.locator('.checked-here.failed').waitFor();
    expect(await summary.textContent()).toContain(
      'The public log does not agree with what the server shows of this key',
    );
    expect(await summary.locator('.failed [lang=en]').textContent()).toMatch(/1 of \d+ links of 0x\w+ is missing/);
    proxy.lie = null;
    await page.reload();
    await summary.getByText(`${links.length} statements, and no more: this browser checked it`).waitFor();
    await announced(page, `${links.length} statements, and no more`);
    await seen.close();
  });

  it('shows red where the server denies the map over its log, to a new visitor and to one who has seen it', async () => {
    const { scene, proxy } = world();
    const expected = [/404 \(Not Found\)/];
    const newVisitor = await visit(proxy.baseUrl + NO_PAGE, { expected });
    const known = await visit(`${proxy.baseUrl}/a/${scene.alice.avatar}`, { expected });
    await known.page.locator('.summary').getByText(' statements, and no more: this browser checked it').waitFor();
    const denied = { status: 404, json: { message: 'Cannot GET it', code: 'not_found' } };
    await newVisitor.page.route('**/v1/log/map?*', (route) => route.fulfill(denied));
    // To one who has seen the map, the operator may deny the entries of the log as well.
    await known.page.route(/\/v1\/log\/map\?|\/log\/tile\//, (route) => route.fulfill(denied));

    for (const { page } of [newVisitor, known]) {
      await page.goto(`${proxy.baseUrl}/verify`);
      for (const [path, verdict] of [
        [`/a/${scene.alice.avatar}`, '.summary > .checked-here.failed'],
        [`/p/github/${GITHUB}`, 'main > .checked-here.failed'],
        [`/p/github/nobody-${GITHUB}`, 'main > .checked-here.failed'],
      ]) {
        await openWithin(page, path!);
        await page.locator(verdict!).getByText('has a map of all that each key has signed').waitFor();
      }
    }
    await newVisitor.close();
    await known.close();
  });

  it('shows red where all links of a key are left out, and proves of another that it has signed none', async () => {
    const { scene, proxy } = world();
    proxy.lie = (asked, body) => {
      if (asked.startsWith('/v1/proofchain?')) body.proof_chain = [];
      if (asked.startsWith('/v1/proof?')) body.ids = [];
      if (/^\/v1\/proof(chain)?\?/.test(asked)) body.pagination.total = 0;
    };
    const seen = await visit(`${proxy.baseUrl}/a/${scene.alice.avatar}`);
    const { page } = seen;
    const verdict = (state: string) => page.locator(`.summary .checked-here.${state}`);

    await verdict('failed').getByText('The public log does not agree with what the server shows').waitFor();
    proxy.lie = null;
    await page.goto(`${proxy.baseUrl}/a/${anAvatar('without links').key.compressed}`);
    await verdict('ok').getByText('This key has signed no statement: this browser checked it').waitFor();
    await seen.close();
  });

  it('says that it checks for what is left out, and that it could not where the map does not answer', async () => {
    const { scene, proxy } = world();
    const seen = await visit(proxy.baseUrl + NO_PAGE, { expected: [/503 \(Service Unavailable\)/] });
    const { page } = seen;
    let answerMap = () => {};
    const isOpen = new Promise<void>((resolve) => (answerMap = resolve));
    proxy.before = (asked) => (asked.startsWith('/v1/log/map?') ? isOpen : Promise.resolve());
    const views: [path: string, verdict: string][] = [
      [`/p/github/${GITHUB}`, 'main > .checked-here'],
      [`/a/${scene.alice.avatar}`, '.summary > .checked-here'],
    ];
    for (const [path, verdict] of views) {
      await page.goto(proxy.baseUrl + path);
      await page.locator(`${verdict}.waiting`).getByText('Looking in the public log').waitFor();
    }
    answerMap();
    await page.locator('main').getByText(' statements, and no more: this browser checked it').waitFor();

    const answer = { status: 503, json: { code: 'overloaded', message: 'The map is busy.' } };
    await page.route('**/v1/log/map?*', (route) => route.fulfill(answer));
    for (const [path, verdict] of views) {
      await openWithin(page, path);
      const unknown = page.locator(`${verdict}.not_checkable`);
      await unknown.getByText('Whether anything is left out could not be checked.').waitFor();
      expect(await unknown.locator('[lang=en]').textContent()).toBe('The map is busy.');
    }
    await seen.close();
  });

  it('says of a name that these are all its keys, or that nobody holds it, and shows red where one is left out', async () => {
    const { scene, proxy } = world();
    const name = `/p/ethereum/${scene.alice.address}`;
    const seen = await visit(`${proxy.baseUrl}${name}`);
    const { page } = seen;
    const verdict = (state: string) => page.locator(`main > .checked-here.${state}`);

    await verdict('ok').getByText('The only key that holds this name: this browser checked it').waitFor();
    await openWithin(page, '/p/github/nobody-at-all');
    await verdict('ok').getByText('Nobody holds this name: this browser checked it').waitFor();
    proxy.lie = (asked, body) => {
      if (!asked.startsWith('/v1/proof?')) return;
      body.ids = [];
      body.pagination.total = 0;
    };
    await openWithin(page, name);
    await verdict('failed')
      .getByText('The public log does not agree with what the server shows of this name')
      .waitFor();
    await verdict('failed').getByText('is left out, which entry').waitFor();
    await seen.close();
  });

  it('shows red, and never green, where a key is shown that holds a name by no link', async () => {
    const { scene, proxy } = world();
    const [model] = (await scene.client.proofs.of(scene.bob.avatar))!.proofs;
    const mallory = {
      avatar: anAvatar('mallory').key.compressed,
      last_arweave_id: '',
      activated_at: '0',
      proofs_total: 1,
    };
    const showAs = (identity: string) => (asked: string, body: Answer) => {
      if (!asked.startsWith('/v1/proof?')) return;
      body.ids = [{ ...mallory, proofs: [{ ...model, platform: 'github', identity }] }];
      body.pagination.total = 1;
    };
    const seen = await visit(proxy.baseUrl + NO_PAGE, {
      before: REMEMBER_GREEN,
      expected: [/404.*proof\/(history|evidence)/],
    });
    const { page } = seen;

    proxy.lie = showAs('invented');
    for (const path of ['/p/github/invented', '/?q=github:invented']) {
      await page.goto(proxy.baseUrl + path);
      await page.locator('.checked-here.failed').getByText('The public log does not agree').waitFor();
      expect(await page.evaluate('[...__green]')).toEqual([]);
    }
    // A key that shows another name holds not this one.
    proxy.lie = showAs('another');
    await openWithin(page, '/p/github/invented');
    await page.locator('main > .checked-here.ok').getByText('Nobody holds this name').waitFor();
    expect(await page.locator('.holder').count()).toBe(0);
    await seen.close();
  });

  it('knows a name in each spelling, and shows nothing in red for one that only the server can read', async () => {
    const { scene, proxy } = world();
    const written = `eip155:1:0x${scene.alice.address.slice(2).toUpperCase()}`;
    const seen = await visit(`${scene.baseUrl}/p/ethereum/${written}`);
    const { page } = seen;
    await page.locator('.checked-here.ok').getByText('The only key that holds this name').waitFor();
    await page.locator('.holder .checked > .checked-here.ok').waitFor();
    expect(await page.getByText('The key no longer holds this name.').count()).toBe(0);
    await openWithin(page, `/?q=ethereum:${written}`);
    await page.locator('.checked-here.ok').getByText('The only key that holds this name').waitFor();
    await counts(page.locator('.results').first().locator('.found > li'), 1);
    await scene.bind(fromPrivateKey(new Uint8Array(32).fill(11)), 'dns');
    const domain = scene.platforms.describe('dns').identity.toUpperCase();
    await openWithin(page, `/p/dns/${domain}.`);
    await page.locator('.checked-here.ok').getByText('The only key that holds this name').waitFor();

    await openWithin(page, `/p/github/${encodeURIComponent(`https://github.com/${GITHUB}`)}`);
    await page.locator('.checked-here.not_checkable').getByText('could not be checked').waitFor();
    expect(await page.locator('.stamp.failed').count()).toBe(0);
    await seen.close();
    // As for a name whose canonical form this version of the page does not know.
    proxy.lie = (asked, body) => {
      if (asked.startsWith('/v1/log/map?')) body.key = flipped(body.key);
    };
    const other = await visit(`${proxy.baseUrl}/p/github/${GITHUB}`);
    await other.page.locator('main > .checked-here.not_checkable').getByText('could not be checked').waitFor();
    expect(await other.page.locator('.stamp.failed').count()).toBe(0);
    await other.close();
  });

  it('announces what came of a search, and counts keys and not bindings', async () => {
    const { proxy } = world();
    const seen = await visit(`${proxy.baseUrl}/?q=github:nobody-at-all`);
    const { page } = seen;
    await announced(page, 'Nobody holds this name: this browser checked it in the public log.');
    proxy.lie = (asked, body) => {
      if (!asked.startsWith('/v1/proof?')) return;
      for (const { proofs } of body.ids) proofs.push({ ...proofs[0], platform: 'twitter', identity: GITHUB });
    };
    await page.goto(`${proxy.baseUrl}/?q=${GITHUB}`);
    await announced(page, 'The server knows 2 keys that hold exactly this name.');
    await counts(page.locator('.results').first().locator('.found > li'), 4);
    await seen.close();
  });

  it('says in each language how many keys hold a name, of one key and of two', async () => {
    const { scene } = world();
    const names = [`/p/ethereum/${scene.alice.address}`, `/p/github/${GITHUB}`];
    for (const [index, name] of names.entries()) {
      const seen = await visit(`${scene.baseUrl}${name}`);
      const verdict = seen.page.locator('main > .checked-here.ok');
      for (const [language, ...texts] of KEYS_THAT_HOLD_A_NAME) {
        await seen.page.locator('.language select').selectOption(language);
        await verdict.getByText(texts[index]!).waitFor();
      }
      await seen.close();
    }
  });

  it('shows red where the checkpoint, a cosignature or an entry was changed on the way', async () => {
    const { proxy } = world();
    // First, because a browser keeps what never changes.
    proxy.lieInText = (path, text) => (path.startsWith('/log/tile/entries/') ? text.replace('"id":1', '"id":7') : text);
    const seen = await visit(`${proxy.baseUrl}/transparency`);
    const { page } = seen;
    await page.locator('.entries-of-log > .checked-here.failed').waitFor();
    await counts(page.locator('.log-entries .stamp.failed'), 1);
    const withLie = async (lie: LyingProxy['lieInText']) => {
      proxy.lieInText = lie;
      await page.reload();
    };

    // The root is the third line.
    await withLie((path, text) => (path.endsWith('/checkpoint') ? text.replace(/^(.*\n.*\n)(.*)/, flippedRoot) : text));
    await page.getByText('What the log shows is wrong.').waitFor();
    expect(await page.locator('.entries-of-log .stamp.ok').count()).toBe(0);

    await withLie((path, text) =>
      path.endsWith('/checkpoint')
        ? text.replace(/(\u2014 \S+\/good )(\S+)/, (_, name, line) => name + flipped(line))
        : text,
    );
    await page.locator('.witnesses .checked-here.failed').waitFor();
    await counts(page.locator('.summary .checked-here.ok'), 1);
    await seen.close();
  });

  it('shows both signed notes where the log has another history than the one that this browser remembers', async () => {
    const { scene, proxy } = world();
    const note = await (await fetch(`${scene.baseUrl}/log/checkpoint`)).text();
    const remembered = await otherHistory(scene, note);
    const seen = await visit(`${proxy.baseUrl}/transparency`);
    const { page } = seen;
    await page.locator('.entries-of-log > .checked-here').waitFor();
    const stored = [`signet-log-head ${proxy.baseUrl}`, JSON.stringify(remembered)].map((text) => JSON.stringify(text));
    await page.evaluate(`localStorage.setItem(${stored.join()})`);

    await page.reload();
    await page.getByRole('heading', { name: 'Two histories' }).waitFor();

    await page.locator('.summary .checked-here.failed').waitFor();
    expect(await page.locator('.fork pre').first().textContent()).toBe(remembered.note);
    await page.locator('.witnesses li').first().getByText('Cannot be checked here.', { exact: true }).last().waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await seen.close();
  });
});

/** Waits until people who listen to the page were told this. */
async function announced(page: Page, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor({ state: 'attached' });
}

function flippedRoot(_line: string, before: string, root: string): string {
  return before + flipped(root);
}

/** A head of one entry, as the same log would have signed it had its first entry been another one. */
async function otherHistory(scene: Scene, note: string): Promise<{ note: string; verifierKey: string }> {
  const { verifier_key: verifierKey } = (await scene.running.get('/v1/log')).body;
  const [origin] = note.split('\n');
  return {
    note: `${origin}\n1\n${Buffer.alloc(32, 7).toString('base64')}\n\n${note.slice(note.indexOf('\u2014'))}`,
    verifierKey,
  };
}
