/**
 * Builds the packages and `dist` if `dist` is missing, older than a source file, or made from another commit. `npm
 * start` and the tests call it, so that a fresh clone needs no separate build step and stale code never runs.
 */
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gitRevision } from './git-revision.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a build is made of; packages that are installed, in versions that package-lock.json names, go into it too. */
const SOURCES = [
  ...['src', 'packages', 'web', 'ormconfig.ts', 'scripts/bundle.mjs'],
  ...['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json'],
];

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
if (hasSources && !isFresh()) {
  console.log('Building (half a minute the first time) ...');
  const started = Date.now();
  const result = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
  console.log(`Built in ${Math.round((Date.now() - started) / 1000)} s.`);
}
