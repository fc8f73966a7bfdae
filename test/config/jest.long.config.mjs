import base from './jest.config.mjs';

/** `npm run test:long`: the stated large numbers, one file after the other. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/archive/{archive-kill,archive-outages,verify-archive}.spec.ts',
    '<rootDir>/test/crypto/backends-agree.spec.ts',
    '<rootDir>/test/database/embedded-fsync.spec.ts',
    '<rootDir>/test/demo/*.spec.ts',
    '<rootDir>/test/erasure/archived.spec.ts',
    '<rootDir>/test/failures/{chaos,failover,kill,power}/*.spec.ts',
    '<rootDir>/test/failures/faults/{database-restart,locked-table,paused-migration,paused-server,start-without-database}.spec.ts',
    '<rootDir>/test/fuzz/*.spec.ts',
    '<rootDir>/test/guide/{app,receivers}.spec.ts',
    '<rootDir>/test/kv/kv-replay.spec.ts',
    '<rootDir>/test/ledger/{clocks,batches-of-requests}.spec.ts',
    '<rootDir>/test/map/{all,many}-holders.spec.ts',
    '<rootDir>/test/move/move.spec.ts',
    '<rootDir>/test/observer/{leases,quorum}.spec.ts',
    '<rootDir>/test/operations/{backup,load-shedding-classes,metrics-workers,request-cost,slow-clients}.spec.ts',
    '<rootDir>/test/packages/{packages,release}.spec.ts',
    '<rootDir>/test/page/own-look.spec.ts',
    '<rootDir>/test/process/{graceful-stop,workers}.spec.ts',
    '<rootDir>/test/proof/{ambiguous-cost,find-proofs-large,query-plans}.spec.ts',
    '<rootDir>/test/rechecks/{recheck-memory,rechecks-load,rechecks-sweep}.spec.ts',
    '<rootDir>/test/sdk/faults.spec.ts',
    '<rootDir>/test/transparency-log/{backfill,head-file,put-back,restored,restored-rows}.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
