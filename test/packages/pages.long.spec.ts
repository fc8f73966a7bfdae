import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import { installByNpm, installPacked, type InstalledProject } from './installed.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = readFileSync(path.join(ROOT, 'docs/guide/app/react.md'), 'utf8');
const PACKAGES = ['verify', 'sdk', 'react'];
/** A version that runs on the oldest Node that we support. */
const NEXT = '16.4.6';
const NEXT_COMMAND = 'node_modules/next/dist/bin/next';
const BESIDE = ['@tanstack/react-query', '@types/node', '@types/react', 'react', 'react-dom', 'typescript'];

/** Stands around each page of Next.js, and says when React has taken it over from the server. */
const TAKEN_OVER = `'use client';
import { type ReactNode, useEffect } from 'react';

export default function Template({ children }: { children: ReactNode }) {
  useEffect(() => document.documentElement.setAttribute('data-taken-over', ''));
  return children;
}`;

/** Two components ask for the same person, as a list and a header of an app do, and React renders all twice. */
const VITE_MAIN = `import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import App from './person';
import Proof from './proof';

const persons = <QueryClientProvider client={new QueryClient()}><App /><App /></QueryClientProvider>;
const page = location.hash === '#proof' ? <Proof /> : persons;
createRoot(document.getElementById('root')!).render(<StrictMode>{page}</StrictMode>);`;

const proofPage = (baseUrl: string) => `'use client';
import { SignetProof, SignetProvider } from '@signet/react';
import { createClient } from '@signet/sdk';

const client = createClient({ baseUrl: '${baseUrl}' });

export default function Page() {
  return <SignetProvider client={client}><SignetProof platform="github" identity="alice" /></SignetProvider>;
}`;

interface Manifest {
  devDependencies: Record<string, string>;
}

/** A file of the guide, which asks this server. */
function guideFile(name: string, baseUrl: string): string {
  const [, text] = new RegExp(`^\`\`\`tsx ${name}\n([^]*?)^\`\`\`$`, 'm').exec(GUIDE)!;
  return text!.replaceAll('https://signet.example', baseUrl);
}

/** Starts a program of the project, and returns its address once it listens there. */
async function serve(project: InstalledProject, words: string[], port: number): Promise<[ChildProcess, string]> {
  const env = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, [...words, String(port)], { cwd: project.folder, env });
  const url = `http://localhost:${port}`;
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  // A page is built at its first request where one develops.
  await until(answers, 400_000);
  return [child, url];
}

const build = (project: InstalledProject, words: string[]) =>
  promisify(execFile)(process.execPath, words, {
    cwd: project.folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
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
    describe('by Next.js', () => {
      let project: InstalledProject;
      let server: ChildProcess;
      let url: string;
      beforeAll(async () => {
        const { devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest;
        project = installByNpm(PACKAGES, [`next@${NEXT}`, ...BESIDE.map((name) => `${name}@${devDependencies[name]}`)]);
        const files = {
          'page.tsx': guideFile('person-page.tsx', service.baseUrl),
          'person.tsx': `'use client';\n${guideFile('person.tsx', service.baseUrl)}`,
          'queries.tsx': guideFile('queries.tsx', service.baseUrl),
          'layout.tsx': guideFile('layout.tsx', service.baseUrl),
          'template.tsx': TAKEN_OVER,
          'proof/page.tsx': proofPage(service.baseUrl),
        };
        for (const [name, text] of Object.entries(files)) {
          const file = path.join(project.folder, 'app', name);
          mkdirSync(path.dirname(file), { recursive: true });
          writeFileSync(file, text);
        }
        await build(project, [NEXT_COMMAND, 'build']);
        [server, url] = await serve(project, [NEXT_COMMAND, 'start', '--port'], await freePort());
      }, 900_000);
      afterAll(async () => {
        await stop(server);
        project?.remove();
      });

      it('renders who is behind an account on the server, which asks for each thing once', async () => {
        const html = await (await fetch(url)).text();

        expect(html).toContain(`>${shown}</p>`);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked).toContain('/v1/proofchain');
      });

      it('is taken over by the browser without a request to the service or a word on the console', async () => {
        // Requests to another origin than its own would be complaints.
        const seen = await visit(url);
        await seen.page.locator('html[data-taken-over]').waitFor();

        expect(await seen.page.getByText(shown).count()).toBe(1);
        await seen.close();
      });

      it('has nothing of which React warns while one develops, such as another rendering by the server', async () => {
        const [development, developed] = await serve(project, [NEXT_COMMAND, 'dev', '--port'], await freePort());
        try {
          const seen = await visit(developed);
          await seen.page.locator('html[data-taken-over]').waitFor();
          await seen.close();
        } finally {
          await stop(development);
        }
      });

      it('shows a proof as text until the element is there, which checks it', async () => {
        expect(await (await fetch(`${url}/proof`)).text()).toContain('>alice (github)</signet-proof>');
        expect(asked).toEqual([]);
        const seen = await visit(`${url}/proof`, { expected: [new RegExp(service.baseUrl)] });
        await seen.page.getByText('✓').waitFor();

        expect(new Set(asked).size).toBe(asked.length);
        await seen.close();
      });
    });

    describe('by Vite', () => {
      let project: InstalledProject;
      let server: ChildProcess;
      let url: string;
      beforeAll(async () => {
        project = installPacked(PACKAGES, { beside: ['react-dom'] });
        writeFileSync(path.join(project.folder, 'main.tsx'), VITE_MAIN);
        writeFileSync(path.join(project.folder, 'proof.tsx'), proofPage(service.baseUrl));
        writeFileSync(path.join(project.folder, 'person.tsx'), guideFile('person.tsx', service.baseUrl));
        const document = '<!doctype html><title>Who</title><div id="root"></div>';
        writeFileSync(
          path.join(project.folder, 'index.html'),
          `${document}<script type="module" src="/main.tsx"></script>`,
        );
        const vite = `${ROOT}node_modules/vite/bin/vite.js`;
        await build(project, [vite, 'build']);
        [server, url] = await serve(project, [vite, 'preview', '--strictPort', '--port'], await freePort());
      });
      afterAll(async () => {
        await stop(server);
        project?.remove();
      });

      it('shows who is behind an account twice, asks for each thing once, and says nothing on the console', async () => {
        const seen = await visit(url, { expected: [new RegExp(service.baseUrl)] });
        await seen.page.getByText(shown).nth(1).waitFor();

        expect(new Set(asked).size).toBe(asked.length);
        expect(asked).toContain('/v1/proofchain');
        await seen.close();
      });

      it('shows a proof that checks itself', async () => {
        const seen = await visit(`${url}/#proof`, { expected: [new RegExp(service.baseUrl)] });
        await seen.page.getByText('✓').waitFor();

        expect(new Set(asked).size).toBe(asked.length);
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
