import { until } from '../support/until.js';
import { describeScene } from './describe-scene.js';
import { type Answer, flipped } from './lying-proxy.js';
import { GITHUB } from './scene.js';

/** The page of a person, `/p/…`: names that cannot be any, and the checks behind one sentence. */
describeScene('the page of a person', (visit, world) => {
  it.each([
    ['/p/github/bad%20name!', 'GitHub', 'alice'],
    ['/p/github/%E2%80%8B', 'GitHub', 'alice'],
    ['/p/dns/alice', 'DNS', 'alice.example.org'],
    ['/p/activitypub/alice', 'Fediverse', 'alice@social.example.com'],
    ['/?q=github:bad%20name!', 'GitHub', 'alice'],
  ])(
    'says of what cannot be a name that it is none, at the field for another one: %s',
    async (path, label, example) => {
      const { scene } = world();
      const seen = await visit(scene.baseUrl + path);
      const { page } = seen;
      const problem = page.getByRole('alert').filter({ hasText: `This cannot be a name on ${label}.` });
      await problem.waitFor();

      expect(await problem.innerText()).toContain(`looks like ${example}`);
      const field = page.getByRole('searchbox');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await field.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
      expect(await page.getByText(/holds this name|could not be checked|Is it yours/).count()).toBe(0);
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    },
  );

  it.each(['/p/github/nobody-at-all', '/?q=github:nobody-at-all', '/p/github/@Nobody-At-All'])(
    'says of a name that nobody holds it, and nothing against it: %s',
    async (path) => {
      const { scene } = world();
      const seen = await visit(scene.baseUrl + path);
      await seen.page.locator('main').getByText('Nobody holds this name: this browser checked it').waitFor();

      expect(await seen.page.getByText('cannot be a name').count()).toBe(0);
      await seen.close();
    },
  );

  it('folds the checks under one sentence while all came out right, and unfolds them by keyboard', async () => {
    const { scene } = world();
    for (const path of [`/p/ethereum/${scene.alice.address}`, `/p/github/${GITHUB}`]) {
      const seen = await visit(scene.baseUrl + path);
      const { page } = seen;
      const folded = page.locator('.holder .folded-steps').first();
      await folded.getByText(/^All \d+ checks that could be made here came out right\.$/).waitFor();
      expect(await folded.locator('.steps').isVisible()).toBe(false);
      await folded.locator('summary').focus();
      await page.keyboard.press('Enter');
      await folded.locator('.steps li').first().waitFor();
      await until(async () => {
        const [, said] = /All (\d+)/.exec(await folded.locator('summary').innerText())!;
        return (await folded.locator('.steps .stamp.ok').count()) === Number(said);
      });
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
    }
  });

  it('says in words what the server found when it looked once, without a drawing of it', async () => {
    const { scene } = world();
    const seen = await visit(`${scene.baseUrl}/p/github/${GITHUB}`);
    const strip = seen.page.locator('.holder .strip').first();
    await strip.getByText('1 check by the server: found', { exact: true }).waitFor();

    expect(await strip.locator('svg').count()).toBe(0);
    await seen.close();
  });

  it('shows the checks open where one of them failed, and closes them for whoever wants that', async () => {
    const { scene, proxy } = world();
    proxy.lie = (asked, { proof_chain: links }) => {
      if (!asked.startsWith('/v1/proofchain?')) return;
      const link = links.find(({ platform }: Answer) => platform === 'ethereum');
      link.signature = flipped(link.signature);
    };
    const seen = await visit(`${proxy.baseUrl}/p/ethereum/${scene.alice.address}`, { expected: [/404.*log/] });
    const folded = seen.page.locator('.holder .folded-steps');
    await folded.getByText(/^\d+ checks? failed\.$/).waitFor();

    expect(await folded.getAttribute('open')).not.toBeNull();
    await folded.locator('.steps li.failed').first().waitFor();
    await folded.locator('summary').click();
    await until(async () => !(await folded.locator('.steps').isVisible()));
    await seen.close();
  });
});
