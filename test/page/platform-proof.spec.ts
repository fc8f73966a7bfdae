import { DataSource } from 'typeorm';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { nextCheckOf } from '../rechecks/bound-gist.js';
import { describePage } from './browser.js';
import { type LyingProxy, startLyingProxy } from './lying-proxy.js';
import { type Scene, startScene } from './scene.js';
import { counts } from './shown.js';

const SIGNED = 'The account’s server has signed this post: checked in this browser. The server signs, not a person.';
const ENDED = 'The platform has signed that it is not there any more: checked here.';
const WRONG = 'What the server keeps as signed by the platform does not verify.';
const UNSIGNED_ZONE =
  'Nothing is kept here that the zone has signed (DNSSEC), so the server alone says that this record stood there.';
const UNSIGNED_POST =
  'Nothing is kept here that the platform has signed, so the server alone says that this post stood there.';

describePage('what the platform has signed of a binding', (visit) => {
  let scene: Scene;
  let proxy: LyingProxy;
  beforeAll(async () => {
    scene = await startScene();
    for (const platform of ['bluesky', 'dns']) await scene.bind(scene.bob, platform);
    proxy = await startLyingProxy(scene.baseUrl);
  });
  afterAll(async () => {
    await proxy?.close();
    await scene?.close();
  });
  beforeEach(() => {
    proxy.lie = null;
  });

  const says = async (platform: string, sentence: string) => {
    const { identity } = scene.platforms.describe(platform);
    const seen = await visit(`${proxy.baseUrl}/p/${platform}/${encodeURIComponent(identity)}`);
    const { page } = seen;
    await page.getByText('What the server saw').first().click();
    await page.locator('.evidence').getByText(sentence, { exact: true }).waitFor();
    expect(await seen.seriousProblems()).toEqual([]);
    await seen.close();
  };
  const lieOfProof = (change: (evidence: { proof?: unknown }) => void) => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof/evidence')) change(answer as { proof?: unknown });
    };
  };

  it('is checked, and said to be of the server of the account', () => says('bluesky', SIGNED));

  it('is said not to verify where it was changed', async () => {
    lieOfProof((evidence) => {
      const { proof } = evidence as { proof: { car: string } };
      evidence.proof = { ...proof, car: proof.car.replace(/.{8}$/, 'AAAAAAAA') };
    });
    await says('bluesky', WRONG);
    lieOfProof((evidence) => (evidence.proof = { type: 'dnssec', chain: 'AAAA' }));
    await says('dns', WRONG);
  });

  it('is checked in an exported file too', async () => {
    const file = await scene.client.export(scene.bob.avatar);
    const kept = file.bindings.find(({ platform }) => platform === 'bluesky')!.evidence!.proof as { car: string };
    const seen = await visit(`${scene.baseUrl}/verify`);
    const { page } = seen;
    const drop = async () => {
      const buffer = Buffer.from(JSON.stringify(file));
      await page.setInputFiles('#export-file', { name: 'x.json', mimeType: 'application/json', buffer });
    };
    const steps = page.locator('.file-result > .steps > li').filter({ hasText: 'What the platform signed' });
    await drop();
    await page.locator('.file-result > .checked-here.ok').waitFor();

    expect(await steps.allInnerTexts()).toEqual([expect.stringContaining('The platform has signed it: checked here.')]);
    expect(await steps.getAttribute('class')).toBe('ok');
    await page.locator('.folded-steps', { hasText: 'What the platform signed' }).locator('summary').click();
    await counts(page.locator('.folded-steps li.ok', { hasText: 'What the platform signed' }), 1);
    expect(await seen.seriousProblems()).toEqual([]);
    // What is written of it takes nothing away that was unfolded.
    await page.evaluate(`document.querySelector('.file-result').dataset.first = ''`);
    await page.locator('.expected summary').click();
    await page.locator('#expected-key').pressSequentially(scene.bob.avatar);
    await page.getByText('It is of the key that you expect.').waitFor();
    await counts(page.locator('.file-result[data-first] .folded-steps[open]'), 1);

    kept.car = kept.car.replace(/.{8}$/, 'AAAAAAAA');
    await drop();
    await page.locator('.file-result > .checked-here.failed').waitFor();
    expect(await steps.getAttribute('class')).toBe('failed');
    await counts(page.locator('.folded-steps[open] li.failed', { hasText: 'What the platform signed' }), 1);
    await seen.close();
  });

  it('is checked of its end too, on its page and in an exported file', async () => {
    const own = await startScene();
    try {
      await own.bind(own.bob, 'bluesky');
      const { identity } = own.platforms.describe('bluesky');
      own.platforms.publish('bluesky', 'Something else.', own.bob.avatar);
      const sql = <Row>(text: string, values: unknown[] = []) =>
        own.running.app.get(DataSource).query(text, values) as Promise<Row[]>;
      for (let looks = 0; looks < 2; looks++) {
        await own.running.app.get(RecheckService).checkDue(await nextCheckOf({ sql }, identity));
      }

      const seen = await visit(`${own.baseUrl}/p/bluesky/${identity}`);
      const { page } = seen;
      await page.getByText('What the server saw').first().click();
      await page.locator('.evidence').getByText(ENDED, { exact: true }).waitFor();
      expect(await seen.seriousProblems()).toEqual([]);

      const file = await own.client.export(own.bob.avatar);
      const { evidence } = file.bindings.find(({ platform }) => platform === 'bluesky')!;
      await page.goto(`${own.baseUrl}/verify`);
      const drop = async () => {
        const buffer = Buffer.from(JSON.stringify(file));
        await page.setInputFiles('#export-file', { name: 'x.json', mimeType: 'application/json', buffer });
      };
      const end = page.locator('.folded-steps li', { hasText: 'What the platform signed of its end' });
      await drop();
      await page.locator('.file-result > .checked-here.ok').waitFor();
      expect(await end.textContent()).toContain(ENDED);

      evidence!.gone_proof = evidence!.proof;
      await drop();
      await page.locator('.file-result > .checked-here.failed').waitFor();
      expect(await end.getAttribute('class')).toBe('failed');
      await seen.close();
    } finally {
      await own.close();
    }
  });

  it('is said not to be there where nothing is kept', async () => {
    await says('dns', UNSIGNED_ZONE);
    lieOfProof((evidence) => delete evidence.proof);
    await says('bluesky', UNSIGNED_POST);
  });
});
