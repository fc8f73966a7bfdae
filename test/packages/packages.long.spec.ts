import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Gist, showGists } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import type { TestAvatar } from '../support/avatar.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { bundleOf, zippedSize } from '../../packages/verify/test/support/bundle.js';
import { installPacked, type InstalledProject } from './installed.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = ['verify', 'look', 'sdk', 'react', 'cli'];
/** Those that are imported; the other is a command. */
const LIBRARIES = ['verify', 'look', 'sdk', 'react'];
/** A name that each of them exports. */
const EXPORTED: Record<string, string> = {
  verify: 'verifyChain',
  look: 'createVerifiers',
  sdk: 'createClient',
  react: 'useIdentity',
};

interface Manifest {
  exports: Record<string, unknown>;
  bin?: Record<string, string>;
  sideEffects: boolean | string[];
  engines: { node: string };
}

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(`${ROOT}packages/${name}/package.json`, 'utf8')) as Manifest;

describe('our packages, packed and installed into an empty project', () => {
  let project: InstalledProject;
  beforeAll(() => {
    project = installPacked(NAMES);
  });
  afterAll(() => project.remove());

  const run = (words: string[]) => execFileSync(process.execPath, words, { cwd: project.folder, encoding: 'utf8' });

  it.each(NAMES)('%s holds what it exports and its README, and nothing that only building needs', (name) => {
    const files = project.files[name]!;
    const { exports, bin } = manifestOf(name);
    const exported = JSON.stringify([exports, bin]).match(/(dist|bin)\/[\w./-]+/g)!;

    expect(exported.length).toBeGreaterThan(0);
    expect(exported.filter((file) => !files.includes(file))).toEqual([]);
    expect(files).toContain('README.md');
    expect(
      files.filter((file) => !/^(dist\/[\w./-]+(\.d)?\.[jt]s|bin\/[\w-]+\.mjs|README\.md|package\.json)$/.test(file)),
    ).toEqual([]);
    // The element defines itself.
    const sideEffects = name === 'sdk' ? ['./dist/signet-proof.js'] : false;
    expect(manifestOf(name)).toMatchObject({ sideEffects, engines: { node: '>=20.19' } });
  });

  it.each(LIBRARIES)('%s is found by import and by require', (name) => {
    const code = `typeof m.${EXPORTED[name]!}`;

    expect(run(['--input-type=module', '-e', `import * as m from '@signet/${name}'; console.log(${code})`])).toBe(
      'function\n',
    );
    expect(
      run([
        '--no-warnings',
        '--input-type=commonjs',
        '-e',
        `const m = require('@signet/${name}'); console.log(${code})`,
      ]),
    ).toBe('function\n');
  });

  it.each([
    ['verify', 'verifyChain', 56_000],
    // With all that a client loads when it is used: demands that combine, signers of any wallet, key events, and the
    // rules of what platforms have signed. What it loads at once is a seventh (packages/sdk/test/size.spec.ts).
    ['sdk', 'createClient', 119_000],
    // For browsers its condition leads to another file than for Node. With fifteen verifiers, each loaded when it is
    // used.
    ['look/looker', 'createLooker', 126_000],
  ])('%s can be bundled for browsers', (name, exported, limit) => {
    const entry = path.join(project.folder, `browser-${name.replace('/', '-')}.mjs`);
    writeFileSync(entry, `import { ${exported} } from '@signet/${name}'; globalThis.it = ${exported};`);
    const bundle = bundleOf(entry, project.folder);

    expect(bundle).not.toMatch(/["'`]node:|\bBuffer\b|\bprocess\./);
    // With all that is loaded only when it is needed, such as the rules of the log, or what reads single platforms.
    expect(zippedSize(bundle)).toBeLessThan(limit);
  });

  it.each(NAMES)('%s has nothing that publint or arethetypeswrong complain of', (name) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [`${ROOT}test/packages/lint-package.mjs`, `${ROOT}packages/${name}`, project.tarballs[name]!],
      { encoding: 'utf8' },
    );

    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  describe('READMEs whose TypeScript', () => {
    const built = (name: string, index: number) => path.join(project.folder, 'out', `readme-${name}-${index}.js`);
    let app: RunningApp;
    let github: StandIn;
    const gists = new Map<string, Gist>();
    beforeAll(async () => {
      github = await startStandIn(showGists(gists));
      app = await startApp({ env: { GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', REVALIDATION: 'off' } });
    });
    afterAll(async () => {
      await app.close();
      await github.close();
    });

    it('compiles', () => {
      const files = NAMES.flatMap((name) =>
        blocksOf(name).map((code, index) => {
          const file = `readme-${name}-${index}.ts`;
          writeFileSync(path.join(project.folder, file), code.replaceAll('https://signet.example', app.baseUrl));
          return file;
        }),
      );
      // The wallet of a page, as its extension declares it.
      const page = `interface Window { ethereum: import('@signet/sdk').Eip1193Provider }`;
      writeFileSync(path.join(project.folder, 'page.d.ts'), page);
      const lib = ['ES2023', 'DOM'];
      const compilerOptions = { strict: true, module: 'NodeNext', target: 'ES2023', lib, types: [], outDir: 'out' };
      const config = { compilerOptions, files: ['page.d.ts', ...files] };
      writeFileSync(path.join(project.folder, 'tsconfig.json'), JSON.stringify(config));
      const words = [`${ROOT}node_modules/typescript/bin/tsc`, '-p', project.folder];

      expect(files).toHaveLength(9);
      expect(spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout).toBe('');
    });

    // The service runs in this process, so nothing here may wait for a child synchronously.
    const example = (words: string[]) => promisify(execFile)(process.execPath, words, { cwd: project.folder });

    it('shows how to verify a chain', async () => {
      expect((await example([built('verify', 0)])).stdout).toBe('true []\nok All 0 verify.\n');
    });

    it('binds the wallet of a page', async () => {
      copyFileSync(`${ROOT}test/packages/page.mjs`, path.join(project.folder, 'page.mjs'));
      await example(['--import', './page.mjs', built('sdk', 0)]);
      const { body } = await app.get('/v1/proofchain/changes?last_id=0');

      expect(body.links.map((link: { platform: string }) => link.platform)).toEqual(['ethereum']);
    });

    it('binds an account, and waits for its post', async () => {
      const child = spawn(process.execPath, [built('sdk', 1)], { cwd: project.folder });
      let said = '';
      child.stdout.on('data', (text) => (said += String(text)));
      const ended = once(child, 'exit');
      await until(() => github.requests.length > 0 && said.includes('Looking again'));
      const content = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
      const avatar = { key: { compressed: (JSON.parse(content) as { avatar: string }).avatar } } as TestAvatar;
      gists.set('0123456789abcdef0123456789abcdef', { login: 'alice', accountId: 7, avatar, content });

      expect(await ended).toEqual([0, null]);
      expect(said).toMatch(/^Publish this: [^]*Looking again in 1 s\.[^]*\n[0-9a-f-]{36}\n$/);
    });
  });
});

describe('the first example of the SDK', () => {
  it('binds a wallet in five lines', () => {
    const lines = blocksOf('sdk')[0]!
      .split('\n')
      .filter((line) => line.trim() !== '');

    expect(lines.length).toBeLessThanOrEqual(5);
    expect(lines.at(-1)).toContain('client.bind(');
  });
});

/** The blocks of TypeScript in a README. */
function blocksOf(name: string): string[] {
  const text = readFileSync(`${ROOT}packages/${name}/README.md`, 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!);
}
