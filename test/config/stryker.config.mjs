import { mutatedIn } from '../../scripts/mutation-parts.mjs';

/**
 * Mutation testing (https://stryker-mutator.io): `npm run test:mutation`, which runs this once for each part, named by
 * MUTATION_PART.
 */
const part = process.env.MUTATION_PART ?? 'crypto';

export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  jest: { configFile: 'test/config/jest.mutation.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  // Mutants that only run while a module is loaded would need a new process each.
  ignoreStatic: true,
  mutate: mutatedIn(part),
  // Wording is for people; that the tests do not hold every word of it is on purpose.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['.cache', 'data', 'dist', 'docs', 'docker', 'coverage'],
  concurrency: 2,
  // A worker that has loaded the application a hundred times holds gigabytes.
  maxTestRunnerReuse: 40,
  // A time-out counts as killed, so it must come from an endless loop and never from a busy machine.
  timeoutMS: 120_000,
  timeoutFactor: 5,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.cache/mutation/${part}.json` },
  // With --incremental, mutants whose code and tests are as they were keep their results.
  incrementalFile: `.cache/mutation/${part}-incremental.json`,
  // Parts can run side by side.
  tempDirName: `.cache/mutation/sandbox-${part}`,
  thresholds: { high: 95, low: 90, break: 90 },
};
