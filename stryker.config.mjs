/**
 * Mutation testing (https://stryker-mutator.io): `npm run test:mutation`, which starts the database and runs this once
 * for each part, named by MUTATION_PART.
 */
const PARTS = {
  rules: [
    'packages/verify/src/**/*.ts',
    'src/{crypto,payload}/**/*.ts',
    'src/platform/verifiers/**/*.ts',
    'src/kv/{kv-identity,kv-payload,patch-text}.ts',
    'src/proof-chain/link-payload.ts',
  ],
  stores: ['src/{events,kv,proof-chain}/**/*.ts', 'src/payload/signed-chain.ts'],
};
const part = process.env.MUTATION_PART ?? 'rules';
const isOfOtherPart =
  part === 'stores' ? PARTS.rules.filter((glob) => !glob.includes('*')) : ['src/payload/signed-chain.ts'];

export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  jest: { configFile: 'jest.mutation.config.mjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  // Mutants that only run while a module is loaded would need a new process each.
  ignoreStatic: true,
  mutate: [...PARTS[part], ...isOfOtherPart.map((glob) => `!${glob}`), '!src/**/*.{module,entity,dto,example}.ts'],
  // Wording is for people; that the tests do not hold every word of it is on purpose.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['data', 'dist', 'docs', 'docker', 'coverage'],
  concurrency: 2,
  // A worker that has loaded the application a hundred times holds gigabytes.
  maxTestRunnerReuse: 40,
  timeoutMS: 60_000,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.cache/mutation/${part}.json` },
  tempDirName: '.cache/mutation/sandbox',
  thresholds: { high: 95, low: 90, break: 90 },
};
