import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the tests in `files`, in the process of jest unless the words say otherwise, and returns what jest says. */
async function runTests(files: Record<string, string>, words = ['--runInBand']): Promise<string> {
  const rootDir = await mkdtemp(path.join(tmpdir(), 'signet-runtime-'));
  try {
    await mkdir(path.join(rootDir, 'test'));
    const all = { 'package.json': '{"type":"module"}', ...files };
    for (const [name, text] of Object.entries(all)) await writeFile(path.join(rootDir, name), text);
    const of = (name: string) => path.join(root, 'test/support', name);
    const config = { rootDir, runtime: of('shared-runtime.mjs'), testEnvironment: of('shared-environment.mjs') };
    const jest = [path.join(root, 'node_modules/jest/bin/jest.js'), ...words, '--config', JSON.stringify(config)];

    const run = promisify(execFile)(process.execPath, ['--experimental-vm-modules', ...jest]);
    const { stderr } = await run.catch((failed: { stderr: string }) => failed);
    return stderr;
  } finally {
    await rm(rootDir, { recursive: true });
  }
}

it('lets a library that two test files share load more when the first one is over', async () => {
  const test = `
    import { answer } from '../library.mjs';
    test('the library loads what it needs', () => expect(answer()).toBe(42));`;

  const said = await runTests({
    'library.mjs': `
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      export const answer = () => require('./answer.cjs');`,
    'answer.cjs': 'module.exports = 42;',
    'test/one.spec.js': test,
    'test/other.spec.js': test,
  });

  expect(said).toMatch(/^Tests: +2 passed, 2 total$/m);
});

it('fails the test that runs by an error that nobody caught', async () => {
  const said = await runTests({
    'test/one.spec.js': `
      const moment = () => new Promise((resolve) => setTimeout(resolve, 10));
      test('before', moment);
      test('throws in a timer', async () => {
        setTimeout(() => { throw new Error('of the timer'); }, 1);
        await moment();
      });
      test('rejects a promise', async () => {
        void Promise.reject(new Error('of the promise'));
        await moment();
      });
      test('after', moment);`,
  });

  expect(said).toMatch(/● throws in a timer\s+of the timer/);
  expect(said).toMatch(/● rejects a promise\s+of the promise/);
  expect(said).toMatch(/^Tests: +2 failed, 2 passed, 4 total$/m);
});

it('fails a test that runs by such an error also where others run at once, and behind them', async () => {
  const said = await runTests({
    'test/one.spec.js': `
      const moment = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      describe('at once', () => {
        test.concurrent('short', () => moment(5));
        test.concurrent('long', async () => {
          void moment(20).then(() => { throw new Error('of the long one'); });
          await moment(40);
        });
      });
      describe('behind them', () => {
        beforeAll(async () => {
          void Promise.reject(new Error('of the hook'));
          await moment(10);
        });
        test('waits', () => moment(10));
      });`,
  });

  expect(said).toContain('of the long one');
  expect(said).toContain('of the hook');
  expect(said).toMatch(/^Tests: +2 failed, 1 passed, 3 total$/m);
});

it('keeps what the files of a worker share, and ends it with the worker', async () => {
  const test = `
    test('counts', () => {
      const shared = globalThis[Symbol.for('signet tests: what files of a worker share')];
      const value = (shared.get('count')?.value ?? 0) + 1;
      const end = async () => {
        await new Promise(setImmediate);
        process.stderr.write('Ended at ' + value + '.');
      };
      shared.set('count', { value, end });
    });`;
  const files = { 'test/one.spec.js': test, 'test/other.spec.js': test };

  const said = await runTests(files, ['--maxWorkers=1', '--workerIdleMemoryLimit=4GB']);

  expect(said).toMatch(/^Tests: +2 passed, 2 total$/m);
  expect(said.match(/Ended at \d\./g)).toEqual(['Ended at 2.']);
});
