/**
 * `npm run build`: compiles the packages; then the service and the page, which need nothing of each other, side by
 * side; and writes down at the end what was built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs commands one after the other. Whether all have ended well; behind one that has not, none is run.
 * @param {...string} commands
 */
async function succeed(...commands) {
  for (const command of commands) {
    const [code] = await once(spawn(command, { shell: true, stdio: 'inherit' }), 'close');
    if (code !== 0) return false;
  }
  return true;
}

const compiled = () =>
  Promise.all([
    succeed('tsc -p tsconfig.build.json', 'node scripts/bundle.mjs'),
    succeed('npm run --silent build:web'),
  ]);
const isBuilt =
  (await succeed('npm run --silent build:packages')) &&
  (await compiled()).every(Boolean) &&
  (await succeed('node scripts/write-build-info.mjs'));
process.exitCode = isBuilt ? 0 : 1;
