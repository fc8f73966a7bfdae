import type { Look, Visit } from './browser.js';
import { flipped, type LyingProxy } from './lying-proxy.js';
import { GITHUB, type Scene } from './scene.js';
import { BAD_WITNESS, GOOD_WITNESS } from './witness-in-test.js';

type Open = (url: string, look?: Look) => Promise<Visit>;

/** Links that the page looks up in the log at the same time. */
const AT_ONCE = 4;

/** How each language says that one key holds a name, and that two do. */
const KEYS_THAT_HOLD_A_NAME: [language: string, one: string, two: string][] = [
  ['zh', '共有 1 个密钥持有此名称，没有更多', '共有 2 个密钥持有此名称，没有更多'],
  ['ja', 'この名前を持つ鍵は 1 個で、ほかにはありません', 'この名前を持つ鍵は 2 個で、ほかにはありません'],
  ['ko', '이 이름을 가진 키는 1개이고 더는 없습니다', '이 이름을 가진 키는 2개이고 더는 없습니다'],
  ['de', 'Der einzige Schlüssel, der diesen Namen hält', '2 Schlüssel halten diesen Namen, und keine weiteren'],
  ['fr', 'La seule clé qui détienne ce nom', '2 clés détiennent ce nom, et aucune autre'],
  ['es', 'La única clave que tiene este nombre', '2 claves tienen este nombre, y ninguna más'],
  ['pt', 'A única chave que tem este nome', '2 chaves têm este nome, e mais nenhuma'],
  ['en', 'The only key that holds this name', '2 keys hold this name, and no others'],
];

/** What the view of the log shows, on a scene with witnesses and a proxy in front of it. */
export function testLogView(visit: Open, world: () => { scene: Scene; proxy: LyingProxy }): void {
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
    expect(await witness(BAD_WITNESS).locator('.stamp.not_checkable').count()).toBe(1);
    await page.getByText(/The newest \d+ entries lead to the root that the log signed/).waitFor();
    const entries = page.locator('.log-entries li');
    expect(await entries.locator('.stamp.ok').count()).toBe(await entries.count());
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
    const seen = await visit(`${scene.baseUrl}/`, { expected: [/404 \(Not Found\)/] });
    const { page } = seen;
    let asked = 0;
    await page.route(/\/(v1\/)?log(\/|$)/, (route) => {
      asked++;
      return route.fulfill({ status: 404, json: { message: 'Cannot GET it', code: 'not_found' } });
    });
    await page.goto(`${scene.baseUrl}/a/${scene.alice.avatar}`);

    await page.locator('.summary').getByText('This server keeps no log.').waitFor();
    expect(await page.locator('.summary').textContent()).toMatch(/ statements, says the server\.$/);
    expect(asked).toBeLessThanOrEqual(AT_ONCE);

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
    await page
      .locator('.summary .checked-here.failed')
      .getByText(/^0 of \d+ were/)
      .waitFor();
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
    expect(await summary.textContent()).toContain('The public log has more of this key than the server shows');
    proxy.lie = null;
    await page.reload();
    await summary.getByText(`${links.length} statements, and no more: this browser checked it`).waitFor();
    await seen.close();
  });

  it('says of a name that these are all its keys, or that nobody holds it, and shows red where one is left out', async () => {
    const { scene, proxy } = world();
    proxy.lie = null;
    const name = `/p/ethereum/${scene.alice.address}`;
    const seen = await visit(`${proxy.baseUrl}${name}`);
    const { page } = seen;
    const verdict = (state: string) => page.locator(`main > .checked-here.${state}`);

    await verdict('ok').getByText('The only key that holds this name: this browser checked it').waitFor();
    await page.goto(`${proxy.baseUrl}/p/github/nobody-at-all`);
    await verdict('ok').getByText('Nobody holds this name: this browser checked it').waitFor();
    proxy.lie = (asked, body) => {
      if (!asked.startsWith('/v1/proof?')) return;
      body.ids = [];
      body.pagination.total = 0;
    };
    await page.goto(`${proxy.baseUrl}${name}`);
    await verdict('failed').getByText('other keys for this name than the server shows').waitFor();
    proxy.lie = null;
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
    proxy.lie = null;
    // First, because a browser keeps what never changes.
    proxy.lieInText = (path, text) => (path.startsWith('/log/tile/entries/') ? text.replace('"id":1', '"id":7') : text);
    const seen = await visit(`${proxy.baseUrl}/transparency`);
    const { page } = seen;
    await page.locator('.entries-of-log > .checked-here.failed').waitFor();
    expect(await page.locator('.log-entries .stamp.failed').count()).toBe(1);
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
    expect(await page.locator('.summary .checked-here.ok').count()).toBe(1);
    proxy.lieInText = null;
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
