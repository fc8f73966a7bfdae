/** The files of a release: packages, source, list of components, checksums. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changesOf, PUBLISHED, writeManifests } from './versions.mjs';

/**
 * Makes the files of a release in `folder`, from the commit that is checked out in `root` and what is built there.
 * @param {{ root: string, folder: string, version: string, repository: string }} release
 * @returns their names
 */
export function makeArtifacts({ root, folder, version, repository }) {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const temporary = mkdtempSync(path.join(tmpdir(), 'signet-release-'));
  // The list of components calls the service by the name of its folder.
  const stage = path.join(temporary, 'signet');
  try {
    mkdirSync(stage);
    const prefix = `signet-${version}/`;
    const source = path.join(folder, `signet-${version}.tar.gz`);
    execFileSync('git', ['archive', '--format=tar.gz', `--prefix=${prefix}`, `--output=${source}`, 'HEAD'], {
      cwd: root,
    });
    execFileSync('tar', ['-xzf', source, '-C', stage, '--strip-components=1']);
    // A dry run has not written them into the repository.
    writeManifests(stage, version, repository);
    for (const name of PUBLISHED) pack(root, stage, name, folder);
    writeFileSync(path.join(folder, `signet-${version}.cdx.json`), componentsOf(stage));
    const changes = changesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version);
    writeFileSync(path.join(folder, 'CHANGES.md'), `${changes}\n`);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  const names = readdirSync(folder).sort();
  writeFileSync(path.join(folder, 'SHA256SUMS'), names.map((name) => checksum(folder, name)).join(''));
  return [...names, 'SHA256SUMS'];
}

/**
 * Packs one package with what is built of it and the licence.
 * @param {string} root
 * @param {string} stage
 * @param {string} name
 * @param {string} folder
 */
function pack(root, stage, name, folder) {
  cpSync(path.join(root, name, 'dist'), path.join(stage, name, 'dist'), { recursive: true });
  cpSync(path.join(root, 'LICENSE'), path.join(stage, name, 'LICENSE'));
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', path.resolve(folder)];
  execFileSync('npm', words, { cwd: path.join(stage, name), stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * What the service is made of (CycloneDX), as the lock file has it; no registry is asked. Of npm's list of all packages
 * those are left out that the lock file marks as for development: with `--omit=dev`, npm 11 leaves out more, such as
 * `pg`.
 * @param {string} stage
 */
function componentsOf(stage) {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const bom = JSON.parse(execFileSync('npm', words, { cwd: stage, encoding: 'utf8', maxBuffer: 1 << 27 }));
  /** @param {{ properties?: { name: string }[] }} component */
  const isNeeded = ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development');
  bom.components = bom.components.filter(isNeeded);
  const kept = new Set([bom.metadata.component, ...bom.components].map((component) => component['bom-ref']));
  /** @type {{ ref: string, dependsOn?: string[] }[]} */
  const dependencies = bom.dependencies;
  bom.dependencies = dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/**
 * A line as `sha256sum --check` reads it.
 * @param {string} folder
 * @param {string} name
 */
function checksum(folder, name) {
  const digest = createHash('sha256')
    .update(readFileSync(path.join(folder, name)))
    .digest('hex');
  return `${digest}  ${name}\n`;
}
