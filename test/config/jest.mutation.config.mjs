import base from './jest.config.mjs';
import { PARTS } from '../../scripts/mutation-parts.mjs';

const part = PARTS[process.env.MUTATION_PART ?? 'crypto'];

/**
 * The tests that `npm run test:mutation` runs against each mutant. The script starts the database once, where the tests
 * need one, and not each of thousands of runs.
 */
export default {
  ...base,
  globalSetup: null,
  globalTeardown: null,
  // Each mutant judges signatures by itself.
  setupFilesAfterEnv: [],
  testMatch: part.tests.map((glob) => `<rootDir>/${glob}`),
  // A mutant lives in modules that no other run has loaded.
  testEnvironment: 'node',
  runtime: 'jest-runtime',
  testRunner: '<rootDir>/scripts/jest-circus-for-mutants.mjs',
  testSequencer: '<rootDir>/scripts/mutation-sequencer.mjs',
  maxWorkers: 1,
  // Many mutants leave a promise that never settles. What needs no database takes milliseconds without a mutant.
  testTimeout: part.needsDatabase ? base.testTimeout : 10_000,
};
