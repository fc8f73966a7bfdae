import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, fromPrivateKey } from '@signet/sdk';
import { describePage } from '../page/browser.js';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { type FaultProxy, startFaultProxy } from '../sdk/fault-proxy.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { freePort } from '../support/free-port.mjs';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { installPacked, type InstalledProject } from './installed.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = readFileSync(path.join(ROOT, 'docs/guide/app/react.md'), 'utf8');
const PACKAGES = ['verify', 'sdk', 'react'];

/** A file of the guide, which asks this server. */
function guideFile(name: string, baseUrl: string): string {
  const [, text] = new RegExp(`^\`\`\`tsx ${name}\n([^]*?)^\`\`\`$`, 'm').exec(GUIDE)!;
  return text!.replaceAll('https://signet.example', baseUrl);
}

/** Starts a program of the project, and returns its address once it listens there. */
async function serve(project: InstalledProject, words: string[], port: number): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [...words, String(port)], { cwd: project.folder });
  const url = `http://localhost:${port}`;
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(answers);
  return [child, url];
}

const build = (project: InstalledProject, words: string[]) =>
  promisify(execFile)(process.execPath, words, {
    cwd: project.folder,
    env: { ...process.env, NODE_ENV: 'production' },
  });

describe('a page of an app, built from our packed packages', () => {
  const alice = anAvatar('alice');
  const wallet = aWallet('alice');
  const shown = `Alice: ethereum ${wallet.address}, github alice`;
  const asked: string[] = [];
  let world: GistWorld;
  /** Sees what the page and its server ask the service for. */
  let service: FaultProxy;
  beforeAll(async () => {
    world = await startGistWorld();
    await world.bind(alice, 'a'.repeat(32), 'alice');
    await linkWallet(world.app, alice, wallet);
    const client = createClient({ baseUrl: world.app.baseUrl });
    const signer = fromPrivateKey(alice.privateKey);
    const own = { platform: await client.serviceName(), identity: signer.avatar };
    await client.kv.patch({ ...own, patch: { profile: { name: 'Alice' } }, signer });
    service = await startFaultProxy(world.app.baseUrl, (request) => {
      asked.push(request.replace(/\?.*/, ''));
      return 'none';
    });
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(async () => {
    await service?.close();
    await world?.close();
  });

  describePage('in a browser', (visit) => {
    describe('by Vite', () => {
      let project: InstalledProject;
      let server: ChildProcess;
      let url: string;
      beforeAll(async () => {
        project = installPacked(PACKAGES, { beside: ['react-dom'] });
        const main = `import { createRoot } from 'react-dom/client';
          import App from './person';
          createRoot(document.getElementById('root')!).render(<App />);`;
        writeFileSync(path.join(project.folder, 'main.tsx'), main);
        writeFileSync(path.join(project.folder, 'person.tsx'), guideFile('person.tsx', service.baseUrl));
        const document = '<!doctype html><title>Who</title><div id="root"></div>';
        writeFileSync(
          path.join(project.folder, 'index.html'),
          `${document}<script type="module" src="/main.tsx"></script>`,
        );
        const vite = `${ROOT}node_modules/vite/bin/vite.js`;
        await build(project, [vite, 'build']);
        [server, url] = await serve(project, [vite, 'preview', '--strictPort', '--port'], await freePort());
      }, 120_000);
      afterAll(async () => {
        await stop(server);
        project?.remove();
      });

      it('shows who is behind an account, asks for each thing once, and says nothing on the console', async () => {
        const seen = await visit(url, { expected: [new RegExp(service.baseUrl)] });
        await seen.page.getByText(shown).waitFor();

        expect(new Set(asked).size).toBe(asked.length);
        expect(asked).toContain('/v1/proofchain');
        await seen.close();
      });
    });
  });
});

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
