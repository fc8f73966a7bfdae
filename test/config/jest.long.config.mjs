import base from './jest.config.mjs';

/** `npm run test:long`: what takes long by design, and large numbers, one file after the other. */
export default {
  ...base,
  testMatch: ['**/*.{long,sized}.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/packages/[^/]+/dist/'],
  maxWorkers: 1,
};
