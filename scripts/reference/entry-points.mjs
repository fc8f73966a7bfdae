import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that programs import. */
export const PACKAGES = ['sdk', 'react', 'verify', 'look'];

/**
 * What the manifests of the packages export, in their order, without the entries that promise nothing (`/internal`).
 * @returns {{ name: string, source: string }[]} the name to import, and the file in `src` that it is made of
 */
export function entryPoints() {
  return allEntryPoints().filter(({ name }) => !name.split('/').includes('internal'));
}

/** What they export, with the entries that promise nothing. @returns {{ name: string, source: string }[]} */
export function allEntryPoints() {
  const entries = PACKAGES.flatMap((folder) => {
    const root = path.join(ROOT, 'packages', folder);
    /** @type {{ name: string, exports: Record<string, unknown> }} */
    const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([entry, target]) => {
      const types = typesOf(target);
      if (types === undefined) return [];
      const source = path.join(root, types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'));
      return [{ name: name + entry.slice(1), source }];
    });
  });
  // A name for browsers and Node stands for the file of one of them, which has a name of its own.
  return entries.filter(({ source }, place) => entries.findIndex((other) => other.source === source) === place);
}

/**
 * The declarations of an entry: of those for all programs, where there are some for browsers too.
 * @param {unknown} target @returns {string | undefined}
 */
function typesOf(target) {
  if (typeof target !== 'object' || target === null) return undefined;
  const { types, default: others } = /** @type {Record<string, unknown>} */ (target);
  return typeof types === 'string' ? types : typesOf(others);
}
