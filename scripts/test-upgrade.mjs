/**
 * `npm run test:upgrade`: three servers of the last released version under load are replaced one by one by this one,
 * ten times, with a kill -9 in each, and one of them back; data that it has made is answered as before, member by
 * member; then readers of that version read a server of this one. Ends with 1 if the released version cannot be
 * installed, and prints what is missing.
 *
 * UPGRADE_ROUNDS=2 npm run test:upgrade        fewer rounds
 * npm run test:upgrade -- 0.2.0 readers        only the files of test/upgrade whose paths have this word
 * npm run test:upgrade -- 9f315a83 before      data of a commit that was not released
 */
import { spawnSync } from 'node:child_process';
import { askedRelease } from './releases/tree.mjs';

const { version, tree } = askedRelease();
const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--config', 'test/config/jest.upgrade.config.mjs', ...process.argv.slice(3)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules',
      RELEASE_VERSION: version,
      RELEASE_TREE: tree,
    },
  },
);
process.exit(status ?? 1);
