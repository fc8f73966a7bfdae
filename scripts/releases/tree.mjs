/**
 * The tree of a released version, installed and built in a folder of its own (`.cache/releases/<version>`): what was
 * released, with the packages of its own lock file. Used by `npm run make:release-data` and `npm run test:upgrade`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A released version cannot be installed here; the message is one sentence for people. */
class ReleaseTreeError extends Error {}

/** @returns {Record<string, string>} the commits of the released versions, oldest first */
function releases() {
  return JSON.parse(readFileSync(`${root}test/upgrade/releases/releases.json`, 'utf8'));
}

/**
 * The folder of `version`, made at first use: about 600 MB and two minutes.
 * @param {string} version as in test/upgrade/releases/releases.json, or a commit
 * @returns {string} an absolute path
 * @throws {ReleaseTreeError} if its commit, packages or build are not available
 */
function releaseTree(version) {
  const commit = releases()[version] ?? commitOf(version);
  if (!commit) {
    const known = Object.keys(releases()).join(', ');
    throw new ReleaseTreeError(
      `No commit ${version} is here, and test/upgrade/releases/releases.json names only ${known}.`,
    );
  }
  const folder = `${root}.cache/releases/${version}`;
  const done = `${folder}/.installed`;
  if (existsSync(done) && readFileSync(done, 'utf8') === commit) return folder;
  if (spawnSync('git', ['cat-file', '-e', commit], { cwd: root }).status !== 0) {
    throw new ReleaseTreeError(
      `Missing: commit ${commit} (version ${version}), which this clone does not have; "git fetch --unshallow" gets it.`,
    );
  }
  console.log(`Installing and building version ${version} in ${folder} ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  run(['ci', '--no-audit', '--no-fund', '--prefer-offline'], folder, `the packages of version ${version}`);
  run(['run', '--silent', 'build'], folder, `the build of version ${version}`);
  writeFileSync(done, commit);
  return folder;
}

/** @param {string} name @returns {string | null} the commit of this name or abbreviated hash */
function commitOf(name) {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root });
  return status === 0 ? stdout.toString().trim() : null;
}

/** @param {string[]} words @param {string} folder @param {string} what */
function run(words, folder, what) {
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' });
  if (status === 0) return;
  throw new ReleaseTreeError(
    `Missing: ${what}; "npm ${words.slice(0, 2).join(' ')}" in ${folder} ended with ${status}.`,
  );
}

/**
 * For a script whose first argument may name a version; by default the last one released. If its tree cannot be made,
 * the process prints the reason and ends with 1.
 * @returns {{ version: string, tree: string }} tree: an absolute path
 */
export function askedRelease() {
  const version = process.argv[2] ?? Object.keys(releases()).at(-1);
  try {
    return { version, tree: releaseTree(version) };
  } catch (error) {
    if (!(error instanceof ReleaseTreeError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}
