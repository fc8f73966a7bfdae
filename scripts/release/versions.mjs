/** What a release changes in the files of the repository. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of what has a version: the service, the packages that are published, and the page. All have the same one. */
export const PUBLISHED = ['packages/verify', 'packages/look', 'packages/sdk', 'packages/react', 'packages/cli'];
export const VERSIONED = ['.', ...PUBLISHED, 'web'];

const RANGES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/**
 * Whether a text is a version that can be released: three numbers, and perhaps a part such as `-rc.1` (SemVer 2).
 * @param {string} text
 */
export function isVersion(text) {
  return /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(text);
}

/**
 * Whether the version `one` comes before `other`, by their numbers; a part behind `-` comes before none (SemVer 2).
 * @param {string} one
 * @param {string} other
 */
export function isBefore(one, other) {
  const [numbers, others] = [one, other].map((version) => version.split('-')[0].split('.').map(Number));
  const at = numbers.findIndex((number, index) => number !== others[index]);
  if (at >= 0) return numbers[at] < others[at];
  return one.includes('-') && (!other.includes('-') || one < other);
}

/**
 * Gives a manifest, or its copy in the lock file, the version of the release, and makes our packages depend on each
 * other in that version.
 * @param {Record<string, any>} manifest
 * @param {string} version
 */
export function setVersion(manifest, version) {
  manifest.version = version;
  for (const ranges of RANGES) {
    for (const name of Object.keys(manifest[ranges] ?? {})) {
      if (name.startsWith('@signet/')) manifest[ranges][name] = `^${version}`;
    }
  }
}

/**
 * Says in a manifest where its source is. `repository` is an https URL without `.git` at its end, or empty.
 * @param {Record<string, any>} manifest
 * @param {string} folder
 * @param {string} repository
 */
export function setRepository(manifest, folder, repository) {
  if (repository === '') return;
  manifest.repository = { type: 'git', url: `git+${repository}.git`, ...(folder !== '.' && { directory: folder }) };
  manifest.bugs = { url: `${repository}/issues` };
  manifest.homepage = folder === '.' ? `${repository}#readme` : `${repository}/tree/main/${folder}#readme`;
}

/**
 * The changelog with the section of this version closed by a date.
 * @param {string} text
 * @param {string} version
 * @param {string} date
 * @throws Error if there is no section `## <version> (unreleased)`, or nothing stands in it
 */
export function datedChangelog(text, version, date) {
  const heading = `## ${version} (unreleased)`;
  if (!text.includes(`\n${heading}\n`)) throw new Error(`CHANGELOG.md has no section "${heading}".`);
  if (changesOf(text, version) === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return text.replace(heading, `## ${version} (${date})`);
}

/**
 * What the changelog says about a version, without its heading.
 * @param {string} text
 * @param {string} version
 */
export function changesOf(text, version) {
  const [, section = ''] = text.split(`\n## ${version} (`);
  return section
    .slice(section.indexOf('\n') + 1)
    .split(/\n## /)[0]
    .trim();
}

/**
 * Writes version and address into all manifests below `root`, and into the lock file.
 * @param {string} root
 * @param {string} version
 * @param {string} repository
 */
export function writeManifests(root, version, repository) {
  const lockFile = path.join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  lock.version = version;
  for (const folder of VERSIONED) {
    const file = path.join(root, folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    setVersion(manifest, version);
    setRepository(manifest, folder, repository);
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    setVersion(lock.packages[folder === '.' ? '' : folder], version);
  }
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
}
