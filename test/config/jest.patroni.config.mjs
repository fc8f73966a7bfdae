import base from './jest.config.mjs';

/** `npm run test:patroni`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/failures/patroni/*.apart.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
