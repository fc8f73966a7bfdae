import base from './jest.config.mjs';

/**
 * The tests that `npm run test:mutation` runs against each mutant, by what is mutated: rules, which have tests without
 * a database, or what stores, which is checked over HTTP. The script starts the database once, and not each of
 * thousands of runs.
 */
const FOLDERS = {
  rules: ['crypto', 'payload', 'kv', 'proof-chain', 'platform'],
  stores: ['payload', 'kv', 'proof-chain', 'events'],
};
const API = ['kv', 'kv-refusals', 'payload', 'submit', 'submit-refusals', 'proofchain', 'changes', 'concurrency'];

const part = process.env.MUTATION_PART ?? 'rules';

export default {
  ...base,
  globalSetup: null,
  globalTeardown: null,
  // Stryker asks for the tests that are related to a file, so the files must be known too.
  roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/packages'],
  testMatch: [
    ...(part === 'rules' ? ['<rootDir>/packages/verify/test/verify.spec.ts'] : []),
    ...FOLDERS[part].map((folder) => `<rootDir>/test/${folder}/**/*.spec.ts`),
    ...(part === 'stores' ? API : []).map((name) => `<rootDir>/test/api/${name}.spec.ts`),
  ],
  maxWorkers: 1,
};
