/** Jest runs the TypeScript sources as ES modules; `.js` in relative imports names the `.ts` file beside it. */
const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // What takes minutes by design; see jest.long.config.mjs.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/long/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Each use of Math is slow inside jest's sandbox, and `elliptic` uses it for every digit: minutes become seconds.
  sandboxInjectedGlobals: ['Math'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
