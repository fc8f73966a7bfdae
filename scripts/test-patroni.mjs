/**
 * `npm run test:patroni`: three servers of the service over a real cluster of Patroni, etcd and HAProxy, whose primary
 * changes ten times under load. Ends with 1 if the programs are not on this machine, and names the packages of Debian
 * that have them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const VERSIONS = '/usr/lib/postgresql';
const hasServer =
  existsSync(VERSIONS) &&
  readdirSync(VERSIONS).some((version) => existsSync(path.join(VERSIONS, version, 'bin/postgres')));
/** @type {Record<string, () => boolean>} */
const NEEDED = {
  patroni: () => runs('patroni', '--version'),
  'python3-etcd': () => runs('/usr/bin/python3', '-c', 'import etcd'),
  'etcd-server': () => runs('etcd', '--version'),
  haproxy: () => runs('haproxy', '-v'),
  postgresql: () => hasServer,
};

/** @param {...string} command */
function runs(...command) {
  return spawnSync(command[0], command.slice(1)).status === 0;
}

const missing = Object.keys(NEEDED).filter((name) => !NEEDED[name]());
if (missing.length > 0) {
  console.error(
    `Missing on this machine: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install ${missing.join(' ')}`,
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--config', 'test/config/jest.patroni.config.mjs'],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' },
  },
);
process.exit(status ?? 1);
