import { fileURLToPath, pathToFileURL } from 'node:url';

/** @import { BuiltModules } from './built-modules.d.ts' */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * A module of the built service, as `npm start` runs it.
 * @template {keyof BuiltModules} Path
 * @param {Path} path
 * @param {string} [root] another checkout, with a slash at its end; the types are those of this one
 * @returns {Promise<BuiltModules[Path]>}
 */
export async function built(path, root = ROOT) {
  await import('reflect-metadata');
  return import(pathToFileURL(`${root}dist/src/${path}`).href);
}
