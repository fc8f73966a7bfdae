/**
 * `npm run test:openapi [cases]`: property tests of the API by schemathesis, from /openapi.json of a server of its own
 * with stand-ins of the platforms. All checks are on; exceptions stand in test/api-description/schemathesis, each with
 * its reason. The Python packages are installed into .cache once. Without Python it prints that and ends with 2.
 */
import { spawnSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOwnServer } from './demo/own-server.mjs';
import { startPlatforms } from './demo/stand-in-platforms.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const VENV = path.join(ROOT, '.cache/openapi-venv');
const PACKAGES = ['schemathesis==4.32.5', 'eth-account==0.14.0'];
const ADMIN_TOKEN = 'the-token-of-the-property-tests';
/** Generated cases of each operation; with some sixty operations that makes more than 20,000. */
const EXAMPLES = process.argv[2] ?? '500';

function installed() {
  const st = path.join(VENV, 'bin/st');
  if (existsSync(st)) return st;
  if (spawnSync('python3', ['-m', 'venv', VENV]).status !== 0) {
    console.error(
      'The property tests need Python 3.10 or newer with venv (Debian and Ubuntu: apt-get install python3-venv).',
    );
    process.exit(2);
  }
  console.log(`Installing ${PACKAGES.join(' and ')} ...`);
  const pip = spawnSync(path.join(VENV, 'bin/pip'), ['install', '--quiet', ...PACKAGES], { stdio: 'inherit' });
  if (pip.status !== 0) {
    console.error('The Python packages cannot be installed.');
    process.exit(2);
  }
  return st;
}

const st = installed();
const world = await startPlatforms({ answersPublish: true });
const server = await startOwnServer(
  {
    ...world.env,
    ADMIN_TOKEN,
    WITNESS: 'on',
    LOOK_AT: 'http://127.0.0.1:9',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  },
  world.transport,
  world.baseUrl,
);
const words = [
  '--config-file',
  path.join(ROOT, 'test/api-description/schemathesis/schemathesis.toml'),
  'run',
  `${server.baseUrl}/openapi.json`,
];
const options = ['--checks=all', `--max-examples=${EXAMPLES}`, '--continue-on-failure', '--request-timeout=30'];
const header = ['--header', `Authorization: Bearer ${ADMIN_TOKEN}`];
const tester = spawn(st, [...words, ...options, ...header, ...process.argv.slice(3)], {
  cwd: path.join(ROOT, '.cache'),
  env: {
    ...process.env,
    SIGNET: server.baseUrl,
    PYTHONPATH: path.join(ROOT, 'test/api-description/schemathesis'),
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HOOKS: 'hooks',
  },
  stdio: 'inherit',
});
const [code] = await once(tester, 'exit');
const feed = await fetch(`${server.baseUrl}/v1/proofchain/changes?last_id=0&count=100`);
const { links } = /** @type {{ links: object[] }} */ (await feed.json());
console.log(`Signed submits that succeeded: ${links.length === 100 ? 'more than 100' : links.length} links.`);
await server.close();
await world.close();
process.exit(code || (links.length === 0 ? 1 : 0));
