import base from './jest.config.mjs';

/** `npm run test:long`: the stated large numbers, one file after the other. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/archive/archive-kill.spec.ts',
    '<rootDir>/test/failures/faults/paused-server.spec.ts',
    '<rootDir>/test/failures/chaos/**/*.spec.ts',
    '<rootDir>/test/failures/kill/**/*.spec.ts',
    '<rootDir>/test/failures/power/**/*.spec.ts',
    '<rootDir>/test/failures/failover/**/*.spec.ts',
    '<rootDir>/test/fuzz/**/*.spec.ts',
    '<rootDir>/test/kv/kv-replay.spec.ts',
    '<rootDir>/test/map/all-holders.spec.ts',
    '<rootDir>/test/transparency-log/backfill.spec.ts',
    '<rootDir>/test/operations/slow-clients.spec.ts',
    '<rootDir>/test/process/graceful-stop.spec.ts',
    '<rootDir>/test/sdk/faults.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
