import base from './jest.config.mjs';

/** `npm run make:release-data`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/upgrade/releases/make/*.apart.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
