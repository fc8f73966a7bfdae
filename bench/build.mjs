/** The built service that is measured: the same code that `npm start` runs. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Rebuilds `dist` if it is stale. @throws Error if that fails */
export function ensureBuilt() {
  const { status } = spawnSync(process.execPath, [`${ROOT}scripts/ensure-built.mjs`], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed, so nothing can be measured.');
}
