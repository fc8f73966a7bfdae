import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
const FOLDER = fileURLToPath(new URL('types', import.meta.url));

it('knows what hooks return, and the element in JSX', () => {
  const { status, stdout } = spawnSync(process.execPath, [COMPILER, '-p', FOLDER], { encoding: 'utf8' });

  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
