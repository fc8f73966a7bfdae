import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TEST_FILE = `
  import { answer } from '../library.mjs';
  test('the library loads what it needs', () => expect(answer()).toBe(42));`;
const FILES = {
  'package.json': '{"type":"module"}',
  'library.mjs': `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    export const answer = () => require('./answer.cjs');`,
  'answer.cjs': 'module.exports = 42;',
  'test/one.spec.js': TEST_FILE,
  'test/other.spec.js': TEST_FILE,
};

it('lets a library that two test files share load more when the first one is over', async () => {
  const rootDir = await mkdtemp(path.join(tmpdir(), 'signet-runtime-'));
  try {
    await mkdir(path.join(rootDir, 'test'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(rootDir, name), text);
    const of = (name: string) => path.join(root, 'test/support', name);
    const config = { rootDir, runtime: of('shared-runtime.mjs'), testEnvironment: of('shared-environment.mjs') };
    const jest = [path.join(root, 'node_modules/jest/bin/jest.js'), '--runInBand', '--config', JSON.stringify(config)];

    const { stderr } = await promisify(execFile)(process.execPath, ['--experimental-vm-modules', ...jest]);

    expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
  } finally {
    await rm(rootDir, { recursive: true });
  }
});
