import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked, type InstalledProject } from './installed.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIBRARIES = ['verify', 'look', 'sdk', 'react'];
const BADGE = readFileSync(path.join(ROOT, 'docs/guide/app/badge.md'), 'utf8');

/** An import of each entry of the packages, as their manifests name them. */
function importsOfAll(): string {
  const entries = LIBRARIES.flatMap((name) => {
    const manifest = readFileSync(`${ROOT}packages/${name}/package.json`, 'utf8');
    const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> };
    return Object.keys(exports).flatMap((entry) => (entry.endsWith('.json') ? [] : `@signet/${name}${entry.slice(1)}`));
  });
  expect(entries.length).toBeGreaterThan(50);
  return entries.map((entry, place) => `export * as entry${place} from '${entry}';`).join('\n');
}

/** The element in JSX, with all that it needs and without. */
const elementIn = (library: string) => `/** @jsxImportSource ${library} */
export const whole = <signet-proof platform="github" identity="alice" server="https://signet.example" title="alice" />;
// @ts-expect-error -- of which server
export const half = <signet-proof platform="github" identity="alice" />;`;

describe('our types in a strict project, where what they need is checked too and no types of Node are there', () => {
  let project: InstalledProject;
  beforeAll(() => {
    project = installPacked(LIBRARIES, { beside: ['@types/react', 'csstype', 'preact'] });
    const [, augmentation = ''] = /^```ts signet-proof\.d\.ts\n([^]*?)^```$/m.exec(BADGE) ?? [];
    const files = {
      'all.ts': importsOfAll(),
      'react.tsx': `import '@signet/react';\n${elementIn('react')}`,
      'signet-proof.d.ts': augmentation,
      'preact.tsx': elementIn('preact'),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project.folder, name), text);
  });
  afterAll(() => project.remove());

  it.each([
    ['NodeNext', 'NodeNext'],
    ['Node16', 'Node16'],
    ['ESNext', 'Bundler'],
  ])('hold with the modules of %s, which are found as %s does', (module, moduleResolution) => {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ jsx: 'react-jsx', noEmit: true },
    };
    const config = { compilerOptions, include: ['*.ts', '*.tsx'] };
    writeFileSync(path.join(project.folder, 'tsconfig.json'), JSON.stringify(config));

    const words = [`${ROOT}node_modules/typescript/bin/tsc`, '-p', project.folder, '--listFiles'];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    const read = lines.filter((line) => line.startsWith('/'));

    expect(lines.filter((line) => !line.startsWith('/'))).toEqual([]);
    expect(read.length).toBeGreaterThan(200);
    // Those of undici need them, and a page has none.
    expect(read.filter((file) => /node_modules\/(undici|@types\/node)\//.test(file))).toEqual([]);
  });
});
