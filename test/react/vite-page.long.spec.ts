/** A page of Vite in an app that has our packages from their tarballs, in Chromium, before the real service. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { installPacked, type InstalledProject } from '../packages/installed.js';
import { describePage } from '../page/browser.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');
const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript' };
const [alice, wallet] = [anAvatar('alice'), aWallet('alice')];
const { compressed: avatar } = alice.key;

/** Two components ask for the same person, as a list and a header of an app do, and React renders all twice. */
const pageOf = (baseUrl: string) => `
import { SignetProof, SignetProvider, useIdentity } from '@signet/react';
import { createClient } from '@signet/sdk';
import { createElement as h, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: '${baseUrl}' });
const account = { platform: 'ethereum', identity: '${wallet.address}' };

function Person({ id }) {
  const { data } = useIdentity(account);
  return h('p', { id }, data ? data.holders.map(({ avatar }) => avatar).join() : 'Looking …');
}

createRoot(document.getElementById('root')).render(
  h(StrictMode, null, h(SignetProvider, { client }, h(Person, { id: 'one' }), h(Person, { id: 'two' }), h(SignetProof, account))),
);
`;

describePage('a page of Vite with @signet/react', (visit) => {
  let app: RunningApp;
  let project: InstalledProject;
  let site: StandIn;
  beforeAll(async () => {
    app = await startApp();
    await linkWallet(app, alice, wallet);
    project = installPacked(['verify', 'sdk', 'react']);
    symlinkSync(path.join(ROOT, 'node_modules/react-dom'), path.join(project.folder, 'node_modules/react-dom'));
    writeFileSync(path.join(project.folder, 'page.js'), pageOf(app.baseUrl));
    const html = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>';
    writeFileSync(path.join(project.folder, 'index.html'), html);
    execFileSync(process.execPath, [VITE, 'build', '--logLevel', 'error'], { cwd: project.folder });
    const out = path.join(project.folder, 'dist');
    const files = new Set(readdirSync(out, { recursive: true, encoding: 'utf8' }));
    site = await startStandIn(({ path: asked }) => {
      const name = asked === '/' ? 'index.html' : asked.slice(1);
      if (!files.has(name)) return { status: 404 };
      const type = TYPES[path.extname(name).slice(1)] ?? 'application/octet-stream';
      return { bytes: readFileSync(path.join(out, name)), headers: { 'content-type': type } };
    });
  }, 240_000);
  afterAll(async () => {
    await site?.close();
    await app?.close();
    project?.remove();
  });

  it('shows who somebody is, asked for once, and the element that checks by itself', async () => {
    const { page } = await visit(`${site.baseUrl}/`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();

    await page.getByText(avatar).first().waitFor();
    const inElement = () =>
      page.evaluate<string>(`document.querySelector('signet-proof')?.shadowRoot?.textContent ?? ''`);
    await until(async () => (await inElement()).includes('✓'));

    expect(await page.locator('#one').textContent()).toBe(avatar);
    expect(await page.locator('#two').textContent()).toBe(avatar);
    // Once for both components, in a rendering that React makes twice, and once by the element itself.
    expect(asked.filter((place) => place === '/v1/proof')).toHaveLength(2);
    await page.close();
  });
});
