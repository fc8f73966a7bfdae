import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startApp } from '../support/app.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/write-sdk-types.mjs', import.meta.url));

it('knows the answers and error codes that the service has: see npm run sdk-types', async () => {
  const app = await startApp();
  try {
    await expect(
      promisify(execFile)(process.execPath, [SCRIPT, '--check', '--from', app.baseUrl]),
    ).resolves.toMatchObject({ stderr: '' });
  } finally {
    await app.close();
  }
});
