import { startStandIn } from '../support/stand-in-server.js';
import type { Look, Visit } from './browser.js';
import type { Scene } from './scene.js';

const ADMIN_TOKEN = 'console-admin-token-000000';

/** Settings under which there is a console. */
export const CONSOLE_ENV = { ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on' };

/** The console, on a scene with `CONSOLE_ENV`. */
export function testConsole(visit: (url: string, look?: Look) => Promise<Visit>, world: () => { scene: Scene }): void {
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
    await page.getByRole('heading', { name: 'Archive' }).waitFor();
    expect(await page.locator('.plot').count()).toBe(4);
    expect(await seen.seriousProblems()).toEqual([]);
    expect(await seen.scrollsSideways()).toBe(false);

    await page.reload();
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await field.waitFor();
    await page.reload();
    await field.waitFor();
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
}
