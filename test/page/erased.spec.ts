import { DataSource } from 'typeorm';
import { eraseRecord } from '../../src/erasure/erase-record.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { describePage } from './browser.js';
import { counts } from './shown.js';

const REASON = 'order 12 of the court of Springfield';
const alice = anAvatar('alice');
const [first, second] = [aWallet('first'), aWallet('second')];

describe('a link and a patch that were erased', () => {
  let app: RunningApp;
  let uuid: string;
  /** On the embedded engine, where no other process can open the database. */
  beforeAll(async () => {
    app = await startApp({ engine: 'embedded' });
    for (const wallet of [first, second]) await linkWallet(app, alice, wallet);
    await writeKv(app, alice, { secret: 'whispers' });
    await writeKv(app, alice, { hello: 'world' });
    await headOfRecords(app, 4);
    const options = { name: '1', reason: REASON, consents: ['with-binding'] };
    await app.app.get(DataSource).transaction(async (manager) => {
      for (const kind of ['link', 'kv'] as const) {
        await eraseRecord(manager, { LOG: true }, { ...options, kind }, new Date());
      }
    });
    await headOfRecords(app, 6);
    uuid = (await app.get('/v1/proofchain/changes?last_id=0')).body.links[0].uuid;
  });
  afterAll(() => app?.close());

  describePage('in a browser', (visit) => {
    it('are shown as what they are, neither green nor red, with the reason; all else is green', async () => {
      const seen = await visit(`${app.baseUrl}/a/${alice.key.compressed}`);
      const { page } = seen;
      const erased = page.locator('.chain > li.not_checkable');

      await page.locator('.summary').getByText('the text of 1 statement was erased for legal reasons').waitFor();
      await page.getByText('2 of 2 found in the public log').waitFor();
      const content = page.locator('.content > .checked-here.not_checkable');
      await content.getByText('The text of 1 signed change was erased, so something may be missing here').waitFor();
      await page.locator('.content .caution').getByText('Incomplete: a change of this entry was erased').waitFor();
      expect(await erased.first().locator('summary').innerText()).toMatch(/Connected Ethereum Erased/);
      await erased.first().locator('summary').click();
      expect(await erased.first().innerText()).toContain(REASON);
      expect(await erased.first().innerText()).toContain('The text was erased for legal reasons, says the server.');
      expect(await page.locator('.failed').count()).toBe(0);
      expect(await page.locator('.chain > li.ok').first().innerText()).toContain(second.address.slice(0, 6));
      expect(await page.locator('body').innerText()).not.toContain('whispers');
      await seen.close();
    });

    it('are found by their uuid, and named in the log', async () => {
      const seen = await visit(`${app.baseUrl}/?q=${uuid}`, { expected: [/log\/cosigned/] });
      const { page } = seen;

      await page.locator('.summary').getByText('the text of 1 statement was erased for legal reasons').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/a/${alice.key.compressed}`);
      await page.goto(`${app.baseUrl}/transparency`);
      await page.getByText('Statement erased').waitFor();
      await counts(page.getByText('Content erased'), 1);
      await seen.close();
    });
  });
});
