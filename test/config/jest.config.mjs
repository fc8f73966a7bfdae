import { readFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundledLibraries } from '../support/bundled-libraries.mjs';

/** Jest runs the TypeScript sources as ES modules; `.js` in relative imports names the `.ts` file beside it. */
const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  // In files of their own, which are read for a stack alone.
  sourceMaps: true,
};

/** Our own packages are tested from their sources, as the compiler checks them: see `paths` of tsconfig.json. */
const { paths } = JSON.parse(readFileSync(new URL('../../tsconfig.json', import.meta.url), 'utf8')).compilerOptions;
const packages = Object.fromEntries(
  Object.entries(paths).map(([name, [source]]) => [`^${name}$`, source.replace('./', '<rootDir>/')]),
);

const GIB = 1024 ** 3;
/**
 * Node 20 keeps the modules of test files that are over: a worker whose heap is above this is replaced. The next one
 * loads the application, and starts a browser, again, so that a machine with room keeps its workers to the end.
 */
const WORKER_BYTES = Math.max(GIB, Math.min(2 * GIB, os.totalmem() / 12));

export default {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  // All files of a worker share our sources, the libraries and one set of globals.
  testEnvironment: '<rootDir>/test/support/shared-environment.mjs',
  runtime: '<rootDir>/test/support/shared-runtime.mjs',
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testMatch: ['**/*.spec.ts'],
  // The name says who runs a file: `.long.spec.ts` is for `npm run test:long` alone, `.apart.spec.ts` for a command of
  // its own, and `.sized.spec.ts` for both tiers, with the numbers of each (test/support/tier.ts).
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/packages/[^/]+/dist/', '\\.(long|apart)\\.spec\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: { ...packages, ...(await bundledLibraries()), '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFilesAfterEnv: ['<rootDir>/test/support/remember-signatures.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // For files with `@jest-environment node`: each use of Math is slow inside jest's sandbox, and `elliptic` uses it for
  // every digit.
  sandboxInjectedGlobals: ['Math'],
  // A test fails by the state that it waits for (`until`): on a busy machine one with twenty steps takes minutes.
  testTimeout: 600_000,
  // For two cores: many files wait for processes that they started, or for seconds to pass. Of three, a third of the
  // processor is idle for minutes.
  maxWorkers: 4,
  workerIdleMemoryLimit: WORKER_BYTES,
  // A worker with gigabytes, on a busy machine, takes longer than jest's half a second to give them back.
  workerGracefulExitTimeout: 5_000,
};
