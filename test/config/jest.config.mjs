import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Jest runs the TypeScript sources as ES modules; `.js` in relative imports names the `.ts` file beside it. */
const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Our own packages are tested from their sources, as the compiler checks them: see `paths` of tsconfig.json. */
const { paths } = JSON.parse(readFileSync(new URL('../../tsconfig.json', import.meta.url), 'utf8')).compilerOptions;
const packages = Object.fromEntries(
  Object.entries(paths).map(([name, [source]]) => [`^${name}$`, source.replace('./', '<rootDir>/')]),
);

export default {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testEnvironment: 'node',
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testMatch: ['**/*.spec.ts'],
  // What takes minutes by design; see jest.long.config.mjs.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/packages/[^/]+/dist/',
    '<rootDir>/test/failures/chaos/',
    '<rootDir>/test/failures/patroni/',
    // A quarter of a minute of a worker and more each, most of it for starting and killing services, for waiting, for
    // checking thousands of signatures, or for packing.
    '<rootDir>/test/archive/archive-kill.spec.ts',
    '<rootDir>/test/archive/archive-outages.spec.ts',
    '<rootDir>/test/archive/verify-archive.spec.ts',
    '<rootDir>/test/database/embedded-fsync.spec.ts',
    '<rootDir>/test/demo/',
    '<rootDir>/test/erasure/archived.spec.ts',
    '<rootDir>/test/failures/failover/',
    '<rootDir>/test/failures/faults/database-restart.spec.ts',
    '<rootDir>/test/failures/faults/locked-table.spec.ts',
    '<rootDir>/test/failures/faults/paused-migration.spec.ts',
    '<rootDir>/test/failures/faults/paused-server.spec.ts',
    '<rootDir>/test/failures/faults/start-without-database.spec.ts',
    '<rootDir>/test/failures/kill/',
    '<rootDir>/test/failures/power/',
    '<rootDir>/test/fuzz/',
    '<rootDir>/test/guide/app.spec.ts',
    '<rootDir>/test/ledger/batches-of-requests.spec.ts',
    '<rootDir>/test/map/all-holders.spec.ts',
    '<rootDir>/test/map/many-holders.spec.ts',
    '<rootDir>/test/observer/leases.spec.ts',
    '<rootDir>/test/observer/quorum.spec.ts',
    '<rootDir>/test/operations/backup.spec.ts',
    '<rootDir>/test/operations/load-shedding-classes.spec.ts',
    '<rootDir>/test/operations/metrics-workers.spec.ts',
    '<rootDir>/test/operations/slow-clients.spec.ts',
    '<rootDir>/test/packages/packages.spec.ts',
    '<rootDir>/test/packages/release.spec.ts',
    '<rootDir>/test/page/own-look.spec.ts',
    '<rootDir>/test/process/graceful-stop.spec.ts',
    '<rootDir>/test/process/workers.spec.ts',
    '<rootDir>/test/proof/ambiguous-cost.spec.ts',
    '<rootDir>/test/proof/find-proofs-large.spec.ts',
    '<rootDir>/test/proof/query-plans.spec.ts',
    '<rootDir>/test/rechecks/recheck-memory.spec.ts',
    '<rootDir>/test/rechecks/rechecks-load.spec.ts',
    '<rootDir>/test/rechecks/rechecks-sweep.spec.ts',
    '<rootDir>/test/transparency-log/backfill.spec.ts',
    '<rootDir>/test/transparency-log/head-file.spec.ts',
    '<rootDir>/test/transparency-log/put-back.spec.ts',
    '<rootDir>/test/transparency-log/restored.spec.ts',
    '<rootDir>/test/transparency-log/restored-rows.spec.ts',
    // What needs an older version installed; see jest.releases.config.mjs and jest.upgrade.config.mjs.
    '<rootDir>/test/upgrade/releases/make/',
    '<rootDir>/test/upgrade/rolling/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: { ...packages, '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Each use of Math is slow inside jest's sandbox, and `elliptic` uses it for every digit: minutes become seconds.
  sandboxInjectedGlobals: ['Math'],
  testTimeout: 60_000,
  // For two cores: many files wait for processes that they started, or for seconds to pass.
  maxWorkers: 3,
  // Node 20 keeps the modules of test files that are over, 30 MB each: a worker that holds more than this is replaced.
  workerIdleMemoryLimit: '1GB',
  // A worker with gigabytes, on a busy machine, takes longer than jest's half a second to give them back.
  workerGracefulExitTimeout: 5_000,
};
