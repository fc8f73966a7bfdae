import { existsSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../../', import.meta.url);

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
 * Bundles each of these libraries to one file in `.cache`, once for its version: jest loads every file of a library
 * anew for each test file. Processes that the tests start load them as they are installed.
 * @returns {Promise<Record<string, string>>} for `moduleNameMapper`
 */
export async function bundledLibraries() {
  /** @type {Record<string, string>} */
  const mapper = {};
  for (const { library, names, entry, format = 'cjs', packages } of LIBRARIES) {
    const folder = fileURLToPath(new URL(`node_modules/${library}`, root));
    const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const extension = format === 'esm' ? 'mjs' : 'cjs';
    const file = fileURLToPath(new URL(`.cache/libraries/${library}-${version}.${extension}`, root));
    if (!existsSync(file)) {
      // Another run may do the same.
      const outfile = `${file}-${process.pid}`;
      /** @type {BuildOptions} */
      const options = { bundle: true, platform: 'node', format, packages, logLevel: 'error' };
      await build({ ...options, entryPoints: [`${folder}/${entry}`], outfile });
      await rename(outfile, file);
    }
    mapper[names] = file;
  }
  return mapper;
}
