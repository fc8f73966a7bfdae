/**
 * `npm run make:release-data -- <version>`: starts a released version from its own tree on PostgreSQL and on the
 * embedded engine, makes every kind of data that a deployment may hold, by HTTP alone, and keeps the stored data and
 * the answers in `test/upgrade/releases/<version>`; see the README.md of that folder. Takes some minutes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { askedRelease } from './releases/tree.mjs';

const VERSIONS = '/usr/lib/postgresql';

/** The oldest PostgreSQL here that the service runs on, whose dumps every newer one can read. */
function findPrograms() {
  if (process.env.TEST_POSTGRES_BIN) return process.env.TEST_POSTGRES_BIN;
  const found = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
    .map(Number)
    .filter((number) => number >= 15)
    .sort((one, other) => one - other)
    .map((number) => `${VERSIONS}/${number}/bin`)
    .find((folder) => existsSync(`${folder}/pg_dump`) && existsSync(`${folder}/postgres`));
  if (found) return found;
  console.error(
    'Missing on this machine: PostgreSQL 15 or newer with pg_dump (Debian and Ubuntu: apt-get install postgresql), or its folder in TEST_POSTGRES_BIN.',
  );
  return process.exit(1);
}

const bin = findPrograms();
const { version, tree } = askedRelease();
const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--config', 'test/config/jest.releases.config.mjs', ...process.argv.slice(3)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules',
      PATH: `${bin}:${process.env.PATH}`,
      RELEASE_VERSION: version,
      RELEASE_TREE: tree,
      RELEASE_POSTGRES_BIN: bin,
    },
  },
);
process.exit(status ?? 1);
