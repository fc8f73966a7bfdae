import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = ['verify', 'look', 'sdk', 'react', 'cli'].map((name) => `./packages/${name}`);

/** An empty project with some of our packages installed from their tarballs. */
export interface InstalledProject {
  folder: string;
  /** Files of each tarball, relative to the package. */
  files: { [name: string]: string[] };
  /** The tarballs. */
  tarballs: { [name: string]: string };
  remove(): void;
}

/**
 * Packs our packages as `npm pack` does and installs the tarballs into an empty project. What they depend on, and what
 * the project needs `beside` them, is linked from this checkout, so that no registry is asked: a package that imports
 * what it does not name is not found.
 */
export function installPacked(names: string[], { beside = [] }: { beside?: string[] } = {}): InstalledProject {
  const project = emptyProject();
  for (const name of names) install(project, name);
  for (const name of beside) link(project, name);
  return project;
}

/**
 * Packs our packages and has npm install the tarballs into an empty project, with all that they need and what the
 * project needs `beside` them, such as a framework that this repository does not depend on. The registry of npm is
 * asked, so long tests alone may do this.
 */
export function installByNpm(names: string[], beside: string[]): InstalledProject {
  const project = emptyProject();
  const tarballs = names.map((name) => `./${path.basename(addTarball(project, name))}`);
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...beside, ...tarballs];
  execFileSync('npm', words, { cwd: project.folder, encoding: 'utf8' });
  return project;
}

function emptyProject(): InstalledProject {
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-packed-'));
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  return { folder, files: {}, tarballs: {}, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What `npm pack` says of each package, and the folder of the tarballs. */
interface Packed {
  folder: string;
  packages: { name: string; filename: string; files: { path: string }[] }[];
}

/**
 * All of our packages, packed once in a run of the tests, in the folder for temporary files of that run: packing takes
 * seconds, and they were built before all tests (global-setup.mjs).
 */
function packed(): Packed {
  const folder = path.join(tmpdir(), 'signet-tarballs');
  const list = path.join(folder, 'packed.json');
  if (!existsSync(list)) {
    const making = mkdtempSync(path.join(tmpdir(), 'signet-packing-'));
    const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', making, ...PACKAGES];
    writeFileSync(path.join(making, 'packed.json'), execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }));
    try {
      renameSync(making, folder);
    } catch {
      // Another worker was first, with the same.
      rmSync(making, { recursive: true });
    }
  }
  return { folder, packages: Object.values(JSON.parse(readFileSync(list, 'utf8')) as Packed['packages']) };
}

/** Copies the tarball of a package into the project, and returns its place. */
function addTarball(project: InstalledProject, name: string): string {
  const { folder, packages } = packed();
  const found = packages.find((one) => one.name === `@signet/${name}`)!;
  const tarball = path.join(project.folder, found.filename);
  copyFileSync(path.join(folder, found.filename), tarball);
  project.tarballs[name] = tarball;
  project.files[name] = found.files.map((file) => file.path);
  return tarball;
}

function install(project: InstalledProject, name: string): void {
  const target = path.join(project.folder, 'node_modules/@signet', name);
  const tarball = addTarball(project, name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  const {
    dependencies = {},
    peerDependencies = {},
    bin = {},
  } = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    bin?: Record<string, string>;
  };
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (!dependency.startsWith('@signet/')) link(project, dependency, name);
  }
  linkCommands(project, target, bin);
}

/** With what it depends on itself; the version that the package itself has, where that is not the one of all. */
function link(project: InstalledProject, name: string, dependent = ''): void {
  const place = path.join(project.folder, 'node_modules', name);
  mkdirSync(path.dirname(place), { recursive: true });
  const own = `${ROOT}packages/${dependent}/node_modules/${name}`;
  if (readdirSync(path.dirname(place)).includes(path.basename(name))) return;
  symlinkSync(existsSync(own) ? own : `${ROOT}node_modules/${name}`, place);
}

/** In `node_modules/.bin`, as npm does it. */
function linkCommands(project: InstalledProject, target: string, bin: { [command: string]: string }): void {
  const folder = path.join(project.folder, 'node_modules/.bin');
  mkdirSync(folder, { recursive: true });
  for (const [command, file] of Object.entries(bin)) {
    chmodSync(path.join(target, file), 0o755);
    symlinkSync(path.join(target, file), path.join(folder, command));
  }
}
