import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import type { Scene } from './scene.js';
import { describeScene } from './describe-scene.js';
import { counts } from './shown.js';

const ADMIN_TOKEN = 'console-admin-token-000000';

/** Settings under which there is a console. */
const CONSOLE_ENV = { ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on' };

/** The console, on a scene with `CONSOLE_ENV`. */
describeScene(
  'the console',
  (visit, world) => {
    let scene: Scene;
    let receiver: Awaited<ReturnType<typeof startStandIn>>;
    beforeAll(async () => {
      ({ scene } = world());
      receiver = await startStandIn(() => ({ status: 500, text: 'no' }));
      const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
      const { status, body } = await scene.running.post('/admin/v1/subscriptions', { url: receiver.baseUrl }, headers);
      expect(status).toBe(201);
      await scene.running.post(`/admin/v1/subscriptions/${body.id}/test`, {}, headers);
    });
    afterAll(() => receiver?.close());

    it('loads nothing that needs the token without it, and shows everything with it until it is told to forget', async () => {
      const seen = await visit(`${scene.baseUrl}/console`, { expected: [/401/] });
      const { page } = seen;
      const asked: string[] = [];
      page.on('request', (request) => {
        const path = new URL(request.url()).pathname;
        if (/^\/(admin|metrics)|\/panels/.test(path)) asked.push(path);
      });
      const field = page.getByLabel('Admin token');
      await page.reload();
      await field.waitFor();
      expect(asked).toEqual([]);

      await field.fill('not-the-token-of-this-server');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: /token/i }).waitFor();
      expect(asked).toEqual(['/admin/v1/revalidation']);

      await field.fill(ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      const webhooks = page.getByRole('region', { name: 'Webhooks' }).first();
      await webhooks.locator('td bdi').getByText(receiver.baseUrl).waitFor();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      // What is switched off is not shown.
      await until(async () => (await page.getByRole('heading', { name: 'Archive' }).count()) === 0);
      await counts(page.locator('.plot'), 4);
      expect(await seen.seriousProblems()).toEqual([]);
      expect(await seen.scrollsSideways()).toBe(false);

      await page.reload();
      await page.getByRole('button', { name: 'Forget the token' }).click();
      await field.waitFor();
      await page.reload();
      await field.waitFor();
      await seen.close();
    });

    it('adds, changes, pauses and deletes a webhook, rotates its secret, and shows secrets once', async () => {
      const seen = await visit(`${scene.baseUrl}/console`, { width: 390, expected: [/400/] });
      const { page } = seen;
      const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
      const listed = async () =>
        (await scene.running.get('/admin/v1/subscriptions', headers)).body.subscriptions.find(
          ({ url }: { url: string }) => url.endsWith('/second'),
        );
      await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      const panel = page.locator('section.records').filter({ has: page.getByRole('heading', { name: 'Webhooks' }) });
      await panel.getByRole('button', { name: 'Add a webhook' }).click();

      await panel.getByLabel('URL').fill(`${receiver.baseUrl}/second`);
      await panel.getByLabel('proof.revoked').check();
      await panel.getByLabel('Only of this platform').fill('githb');
      await panel.getByLabel('Form of the messages').selectOption('cloudevents');
      await panel.getByRole('button', { name: 'Save' }).click();
      await panel
        .getByRole('alert')
        .filter({ hasText: /platform/i })
        .waitFor();
      // A refusal takes nothing of what was typed.
      expect(await panel.getByLabel('URL').inputValue()).toBe(`${receiver.baseUrl}/second`);
      expect(await panel.getByLabel('proof.revoked').isChecked()).toBe(true);
      expect(await panel.getByLabel('Form of the messages').inputValue()).toBe('cloudevents');
      await panel.getByLabel('Only of this platform').fill('github');
      await panel.getByRole('button', { name: 'Save' }).click();
      const secret = await panel.locator('.webhook-secret code').textContent();
      expect(secret).toMatch(/^whsec_/);
      expect(await listed()).toMatchObject({
        types: ['proof.revoked'],
        platform: 'github',
        format: 'cloudevents',
        enabled: true,
      });
      expect(await seen.seriousProblems()).toEqual([]);
      expect(await seen.scrollsSideways()).toBe(false);
      await panel.getByRole('button', { name: 'I have copied it' }).click();
      await panel.locator('.webhook-secret').waitFor({ state: 'detached' });

      const row = panel.locator('tr').filter({ hasText: '/second' });
      // All of it is in sight on a phone, the buttons too.
      for (const button of await row.getByRole('button').all()) {
        const { x, width } = (await button.boundingBox())!;
        expect(x + width).toBeLessThanOrEqual(390);
      }
      await row.getByRole('button', { name: /^Change/ }).click();
      await panel.getByLabel('proof.bound').check();
      await panel.getByRole('button', { name: 'Save' }).click();
      await until(async () => (await listed()).types.length === 2);
      await row.getByRole('button', { name: /^Pause/ }).click();
      await row.getByRole('button', { name: /^Resume/ }).waitFor();
      expect(await listed()).toMatchObject({ enabled: false });
      await row.getByRole('button', { name: /^New secret/ }).click();
      await row.getByRole('button', { name: /^Really make a new secret/ }).click();
      await panel.locator('.webhook-secret').waitFor();
      expect(await panel.locator('.webhook-secret code').textContent()).not.toBe(secret);
      await row.getByRole('button', { name: /^Delete/ }).click();
      expect(await listed()).toBeDefined();
      await row.getByRole('button', { name: /^Really delete/ }).click();
      await until(async () => (await listed()) === undefined);
      await seen.close();
    });

    it('delivers a webhook again', async () => {
      const seen = await visit(`${scene.baseUrl}/console`, { width: 390 });
      const { page } = seen;
      await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      const deliveries = page
        .locator('section.records')
        .filter({ has: page.getByRole('heading', { name: 'Deliveries' }) });

      await deliveries
        .getByRole('button', { name: /Deliver again/ })
        .first()
        .click();
      await deliveries.getByText('Done.').waitFor();

      expect(await seen.scrollsSideways()).toBe(false);
      await seen.close();
    });
  },
  CONSOLE_ENV,
);
