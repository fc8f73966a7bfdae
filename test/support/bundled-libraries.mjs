import { statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../../', import.meta.url);

/** What the bundles are made by: this file, and what npm writes whenever it has installed or updated a package. */
const MADE_BY = [new URL(import.meta.url), new URL('node_modules/.package-lock.json', root)];

/**
 * Libraries of some hundred files each: the names by which they are imported, the file that they begin with, and what
 * stays outside of the bundle.
 *
 * @typedef {import('esbuild').BuildOptions} BuildOptions
 * @type {{ library: string, names: string, entry: string, format?: 'cjs' | 'esm', packages?: 'external' }[]}
 */
const LIBRARIES = [
  { library: 'class-validator', names: '^class-validator$', entry: 'cjs/index.js' },
  { library: 'es-toolkit', names: '^es-toolkit/compat$', entry: 'dist/compat/index.mjs', format: 'esm' },
  // The module has all operators, too.
  { library: 'rxjs', names: '^rxjs(/operators)?$', entry: 'dist/cjs/index.js' },
  // Drivers are loaded by their names.
  { library: 'typeorm', names: '^typeorm$', entry: 'index.js', packages: 'external' },
  { library: 'undici', names: '^undici$', entry: 'index.js' },
];

/**
 * Bundles each of these libraries to one file in `.cache`, once for what is installed: jest loads every file of a
 * library anew for each test file. Processes that the tests start load them as they are installed.
 * @returns {Promise<Record<string, string>>} for `moduleNameMapper`
 */
export async function bundledLibraries() {
  const madeBy = Math.max(...MADE_BY.map(writtenAt));
  /** @type {Record<string, string>} */
  const mapper = {};
  for (const { library, names, entry, format = 'cjs', packages } of LIBRARIES) {
    const file = fileURLToPath(new URL(`.cache/libraries/${library}.${format === 'esm' ? 'mjs' : 'cjs'}`, root));
    if (writtenAt(file) <= madeBy) {
      // Another run may do the same.
      const outfile = `${file}-${process.pid}`;
      const entryPoints = [fileURLToPath(new URL(`node_modules/${library}/${entry}`, root))];
      /** @type {BuildOptions} */
      const options = { bundle: true, platform: 'node', format, packages, logLevel: 'error' };
      await build({ ...options, entryPoints, outfile });
      await rename(outfile, file);
    }
    mapper[names] = file;
  }
  return mapper;
}

/** @param {string | URL} file @returns milliseconds; 0 where there is none */
function writtenAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
