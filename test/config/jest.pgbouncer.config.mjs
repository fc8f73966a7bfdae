import base from './jest.config.mjs';

/** `npm run test:pgbouncer`: the interface, with what `npm test` leaves to `test:long`, but not what measures. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/{proof,proof-chain,kv,rechecks,webhooks,archive,event-stream,admin}/**/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/archive/archive-kill.long.spec.ts',
    '<rootDir>/test/proof/(ambiguous-cost|find-proofs-large|query-plans).long.spec.ts',
    '<rootDir>/test/rechecks/recheck-memory.long.spec.ts',
  ],
};
