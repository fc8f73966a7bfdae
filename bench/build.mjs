/** The built service, as the benchmark loads parts of it: the same code that `npm start` runs. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Rebuilds `dist` if it is stale. @throws Error if that fails */
export function ensureBuilt() {
  const { status } = spawnSync(process.execPath, [`${ROOT}scripts/ensure-built.mjs`], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed, so nothing can be measured.');
}

/** A module of the built service, by its path under `src`; of another checkout if `root` names one. */
export async function built(path, root = ROOT) {
  await import('reflect-metadata');
  return import(pathToFileURL(`${root}dist/src/${path}`).href);
}
