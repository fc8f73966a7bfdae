import base from './jest.config.mjs';

/** `npm run test:long`: the stated large numbers, one file after the other. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/archive/archive-{kill,outages}.spec.ts',
    '<rootDir>/test/crypto/backends-agree.spec.ts',
    '<rootDir>/test/failures/{chaos,failover,kill,power}/*.spec.ts',
    '<rootDir>/test/failures/faults/{database-restart,locked-table,paused-migration,paused-server,start-without-database}.spec.ts',
    '<rootDir>/test/fuzz/*.spec.ts',
    '<rootDir>/test/guide/receivers.spec.ts',
    '<rootDir>/test/kv/kv-replay.spec.ts',
    '<rootDir>/test/map/{all,many}-holders.spec.ts',
    '<rootDir>/test/observer/leases.spec.ts',
    '<rootDir>/test/operations/{backup,metrics-workers,slow-clients}.spec.ts',
    '<rootDir>/test/packages/{packages,release}.spec.ts',
    '<rootDir>/test/process/{graceful-stop,workers}.spec.ts',
    '<rootDir>/test/proof/{ambiguous-cost,find-proofs-large,query-plans}.spec.ts',
    '<rootDir>/test/rechecks/recheck-memory.spec.ts',
    '<rootDir>/test/sdk/faults.spec.ts',
    '<rootDir>/test/transparency-log/{backfill,head-file}.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
