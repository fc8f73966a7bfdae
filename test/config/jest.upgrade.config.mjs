import base from './jest.config.mjs';

/** `npm run test:upgrade`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/upgrade/{before,readers,rolling}/*.apart.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
