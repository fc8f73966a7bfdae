/**
 * What people feel first, beside a released version: `npm run bench:guard [-- VERSION]`, the last one by default.
 * Takes some five minutes on a quiet machine, and fails where a case has less than `LEAST_SHARE` of the other version.
 */
import { spawnSync } from 'node:child_process';
import { askedRelease } from '../scripts/releases/tree.mjs';
import { ROOT } from './build.mjs';

const CASES = [
  ...['exact-1', 'exists', 'feed-page', 'kv-small', 'payload', 'submit-wallet', 'submit-kv'],
  ...['start-postgres', 'memory'],
];

const { version, tree } = askedRelease();
console.log(`Beside version ${version}:`);
const { status } = spawnSync(process.execPath, [`${ROOT}bench/run.mjs`, '--strict', '--only', CASES.join(',')], {
  stdio: 'inherit',
  env: {
    BENCH_PROOFS: '10000',
    BENCH_SECONDS: '1',
    BENCH_CONNECTIONS: '1,16',
    ...process.env,
    BENCH_BESIDE: tree,
  },
});
process.exitCode = status ?? 1;
