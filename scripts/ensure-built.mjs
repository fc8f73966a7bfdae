/**
 * Builds the packages and `dist` if `dist` is missing, older than a source file, or made from another commit. `npm
 * start` and the tests call it, so that a fresh clone needs no separate build step and stale code never runs.
 */
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gitRevision } from './git-revision.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a build is made of; packages that are installed, in versions that package-lock.json names, go into it too. */
const SOURCES = [
  ...['src', 'packages', 'web', 'ormconfig.ts', 'scripts/bundle.mjs'],
  ...['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json'],
];

/** Holds the number of the process that builds. */
const LOCK = `${root}.cache/build.lock`;

/** Folders inside our packages that are built or installed. */
const NOT_SOURCES = ['dist', 'node_modules'];

/** @param {string} path @returns {number} */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...namesIn(path).map((name) => newest(`${path}/${name}`)));
}

/** @param {string} folder */
function namesIn(folder) {
  return readdirSync(folder).filter((name) => !NOT_SOURCES.includes(name));
}

function isFresh() {
  try {
    const built = statSync(`${root}dist/build-info.json`).mtimeMs;
    const { revision } = JSON.parse(readFileSync(`${root}dist/build-info.json`, 'utf8'));
    return revision === gitRevision() && SOURCES.every((name) => newest(`${root}${name}`) < built);
  } catch {
    return false;
  }
}

const hasSources = statSync(`${root}src`, { throwIfNoEntry: false });
if (hasSources && !existsSync(`${root}node_modules/@signet/verify`)) {
  console.error('The installed packages are older than package-lock.json; run npm ci.');
  process.exit(1);
}
if (hasSources && !isFresh()) lockedBuild();

/** Builds, unless another process builds here already, such as `npm start` in another terminal: then it waits. */
function lockedBuild() {
  takeLock();
  const status = isFresh() ? 0 : build();
  rmSync(LOCK, { force: true });
  if (status !== 0) process.exit(status);
}

function takeLock() {
  mkdirSync(`${root}.cache`, { recursive: true });
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (!isBuilding()) rmSync(LOCK, { force: true });
    else if (!hasSaid) console.log('Another process builds; waiting for it ...');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** Whether the process that has the lock is still there. */
function isBuilding() {
  try {
    return process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
  } catch {
    return false;
  }
}

/** Returns the exit code. */
function build() {
  console.log('Building (half a minute the first time) ...');
  const started = Date.now();
  const result = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (result.status === 0) console.log(`Built in ${Math.round((Date.now() - started) / 1000)} s.`);
  return result.status ?? 1;
}
