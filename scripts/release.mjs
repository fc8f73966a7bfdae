/**
 * Makes a release: one version for the service, its packages and its page.
 *
 * npm run release -- 0.2.0
 *
 * It builds, dates the section of CHANGELOG.md, writes the version and the address into all manifests, commits and tags
 * that, and puts the files of the release into release/<version>: packages with the licence, source, list of components
 * (CycloneDX) and checksums. Nothing is pushed or published. --repository <https URL> writes the public address into
 * the manifests; without one, and where package.json names none, the release says what to fill in.
 *
 * --dry-run changes nothing in the repository, and makes the same files of the commit that is checked out, which may be
 * the tag of a release; --out names another folder for them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from './message-of.mjs';
import { makeArtifacts } from './release/artifacts.mjs';
import { datedChangelog, isBefore, isVersion, writeManifests } from './release/versions.mjs';

const USAGE = 'npm run release -- <version> [--repository <https URL>] [--dry-run] [--out <folder>]';

const WITHOUT_ADDRESS = `No manifest says where the source is, since package.json names no repository. Before packages are published, make the
files again from the tag with the address: npm run release -- <version> --dry-run --repository <https URL>.`;

/** What the person has to change; the message says what. */
class Refusal extends Error {}

function settings() {
  const options = /** @type {const} */ ({
    repository: { type: 'string' },
    out: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  });
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length !== 1) throw new Refusal(`Usage: ${USAGE}`);
    return { version: positionals[0], isDry: values['dry-run'], out: values.out, repository: values.repository };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${messageOf(error)}\nUsage: ${USAGE}`);
  }
}

/** @param {ReturnType<typeof settings>} settings */
function release({ version, isDry, out, repository: given }) {
  const root = process.cwd();
  /** @param {...string} words */
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const repository = (given ?? manifest.repository?.url?.replace(/^git\+/, '') ?? '').replace(/(\.git)?\/?$/, '');
  if (!isVersion(version)) throw new Refusal(`"${version}" is not a version such as 0.2.0 or 0.3.0-rc.1.`);
  if (isBefore(version, manifest.version)) throw new Refusal(`The version is ${manifest.version} already.`);
  if (repository !== '' && !/^https:\/\/[^\s/]+\/\S+$/.test(repository)) {
    throw new Refusal(`"${repository}" is no address such as https://github.com/example/signet.`);
  }
  const isTagged = git('tag', '--list', `v${version}`) !== '';
  if (isTagged && !isDry) throw new Refusal(`There is a tag v${version} already.`);
  if (!isDry && git('status', '--porcelain') !== '') throw new Refusal('Commit or remove what is changed first.');

  const changelogFile = path.join(root, 'CHANGELOG.md');
  const changelog = isTagged ? '' : dated(readFileSync(changelogFile, 'utf8'), version);
  if (!isDry) {
    writeFileSync(changelogFile, changelog);
    writeManifests(root, version, repository);
    git('commit', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `Signet ${version}`);
  }
  const folder = path.resolve(root, out ?? path.join('release', version));
  const names = makeArtifacts({ root, folder, version, repository });
  console.log(`${isDry ? 'Dry run: nothing is committed. ' : `Committed and tagged v${version}. `}In ${folder}:`);
  for (const name of names) console.log(`  ${name}`);
  if (repository === '') console.log(WITHOUT_ADDRESS);
  if (!isDry) console.log(`Now look at it, and: git push --follow-tags. CONTRIBUTING.md says what follows.`);
}

/** @param {string} text @param {string} version */
function dated(text, version) {
  try {
    return datedChangelog(text, version, new Date().toISOString().slice(0, 10));
  } catch (error) {
    throw new Refusal(messageOf(error));
  }
}

try {
  release(settings());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
