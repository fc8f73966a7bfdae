import base from './jest.config.mjs';
import { PARTS } from './scripts/mutation-parts.mjs';

/**
 * The tests that `npm run test:mutation` runs against each mutant. The script starts the database once, where the tests
 * need one, and not each of thousands of runs.
 */
export default {
  ...base,
  globalSetup: null,
  globalTeardown: null,
  testMatch: PARTS[process.env.MUTATION_PART ?? 'crypto'].tests.map((glob) => `<rootDir>/${glob}`),
  testRunner: '<rootDir>/scripts/jest-circus-for-mutants.mjs',
  testSequencer: '<rootDir>/scripts/mutation-sequencer.mjs',
  maxWorkers: 1,
};
