import { writeKv } from '../kv/kv-scenario.js';
import { type AdminClient, ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { describePage } from './browser.js';

const REASON = 'It claims to be somebody else.';

describe('what the operator hides, on the page', () => {
  let running: RunningApp;
  let admin: AdminClient;
  const alice = anAvatar('alice');
  const wallet = aWallet('alice');
  const key = alice.key.compressed;
  const identity = { kind: 'identity', platform: 'ethereum', identity: wallet.address };
  beforeAll(async () => {
    running = await startApp({ env: { ADMIN_TOKEN, ABUSE_CONTACT: 'https://abuse.example/report' } });
    admin = adminOf(running);
    await linkWallet(running, alice, wallet);
    await writeKv(running, alice, { note: 'open to all', profile: { name: 'Alice Demo' } });
    await writeKv(running, alice, { note: 'under the wallet' }, { platform: 'ethereum', identity: wallet.address });
  });
  afterAll(() => running.close());

  describePage('in a browser', (visit) => {
    const hide = async (name: object) => {
      const { body } = await admin.post('/hidden', { ...name, reason: REASON });
      return () => admin.post(`/hidden/${body.id as string}/lift`, { reason: 'over' });
    };

    it.each(['/a/', '/kv/'])('is content under an account, and the account, but not the rest: %s', async (view) => {
      const lift = await hide(identity);
      const seen = await visit(`${running.baseUrl}${view}${key}`);
      const { page } = seen;
      await page.locator('.content .hidden-notice, .entries .hidden-notice').getByText(REASON).waitFor();
      await page.locator('.value-list').getByText('open to all').waitFor();

      expect(await page.locator('.value-list').getByText('under the wallet').count()).toBe(0);
      if (view === '/a/') {
        await page.locator('summary').filter({ hasText: 'Show a code to scan' }).click();
        await page.locator('.code-card').waitFor();
        expect(await page.locator('.code-card').innerText()).not.toContain(wallet.address.slice(0, 8));
      }
      expect(await seen.seriousProblems()).toEqual([]);
      await seen.close();
      await lift();
    });

    it('is a profile alone: what else the key wrote is shown', async () => {
      const lift = await hide({ kind: 'profile', avatar: key });
      const seen = await visit(`${running.baseUrl}/kv/${key}`);
      await seen.page.locator('.entries .hidden-notice').getByText(REASON).waitFor();
      await seen.page.locator('.value-list').getByText('open to all').waitFor();

      expect(await seen.page.locator('main').innerText()).not.toContain('Alice Demo');
      await seen.close();
      await lift();
    });

    it('is a key with all its content, which its owner can change all the same', async () => {
      const lift = await hide({ kind: 'key', avatar: key });
      const seen = await visit(`${running.baseUrl}/kv/${key}`);
      await seen.page.locator('.entries .hidden-notice').getByText(REASON).waitFor();

      expect(await seen.page.locator('.value-list').count()).toBe(0);
      await seen.page.getByRole('button', { name: 'Change the content of this key' }).waitFor();
      await seen.close();
      await lift();
    });

    it('can be asked for on each page that is drawn', async () => {
      const named = `/p/ethereum/${wallet.address}`;
      const views = ['/', `/?q=${wallet.address}`, `/a/${key}`, named, '/verify', '/example', '/bind', '/bind/several'];
      views.push(`/kv/${key}`, '/lost', '/lost/thief', `/recovery/${key}`, `/revoke${named.slice(2)}`, '/console');
      const seen = await visit(running.baseUrl, { expected: [/status of 40[014]/] });
      for (const view of [...views, '/transparency', '/nothing']) {
        await seen.page.goto(running.baseUrl + view);
        await seen.page.locator('main h1, main form').first().waitFor();
        const report = seen.page.getByRole('contentinfo').getByRole('link', { name: 'Report abuse' });
        expect([view, await report.getAttribute('href')]).toEqual([view, 'https://abuse.example/report']);
      }
      await seen.close();
    });

    it('is the element for other sites, which says why', async () => {
      const lift = await hide(identity);
      const seen = await visit(`${running.baseUrl}/embed/ethereum/${wallet.address}`);
      await seen.page.getByRole('status').getByText(`Hidden by the operator of the server: ${REASON}`).waitFor();

      expect(await seen.page.getByRole('link').count()).toBe(0);
      await seen.close();
      await lift();
    });
  });
});
