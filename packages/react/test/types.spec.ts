import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHECK = fileURLToPath(new URL('../../verify/test/support/check-types.mjs', import.meta.url));
const FOLDER = fileURLToPath(new URL('types', import.meta.url));

it('knows what hooks return, and the element in JSX', () => {
  const { status, stdout } = spawnSync(process.execPath, [CHECK, FOLDER], { encoding: 'utf8' });

  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
