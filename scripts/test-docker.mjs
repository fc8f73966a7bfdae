/**
 * Tests docker/ on a machine without Docker: runs the steps of the Dockerfile as a script in a clean folder (with the
 * files that .dockerignore allows), starts the result as the image would, as a user without rights, and validates
 * compose.yaml against the published schema. Uses the package registry, as a build does, so it is not part of `npm
 * test`.
 *
 *   npm run test:docker
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, chmodSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { validateCompose } from './docker/compose-schema.mjs';
import { buildImage, directorySize } from './docker/image-steps.mjs';
import { messageOf } from './message-of.mjs';
import { freePort } from '../test/support/free-port.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const REVISION = '0123456789abcdef0123456789abcdef01234567';
/**
 * The user `node` of the image if this runs as root; otherwise the current user.
 * @type {{ uid?: number, gid?: number }}
 */
const IMAGE_USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
const START_TIMEOUT_MS = 120_000;

/** @param {unknown} isTrue @param {string} what */
function check(isTrue, what) {
  if (!isTrue) throw new Error(`Not so: ${what}`);
  console.log(`  ok: ${what}`);
}

/** @typedef {ReturnType<typeof buildImage>} Image */

/**
 * Runs one command of the image in it, as its user.
 * @param {Image} image
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 */
function runIn(image, [program, ...words], env) {
  const command = program === 'node' ? process.execPath : program;
  return spawn(command, words, { cwd: image.workdir, env, stdio: ['ignore', 'pipe', 'pipe'], ...IMAGE_USER });
}

/** @param {ReturnType<typeof runIn>} child */
async function exitCodeOf(child) {
  child.stdout.resume();
  child.stderr.resume();
  const [code] = await once(child, 'exit');
  return code;
}

/** @param {Image} image @param {string} temporary */
async function tryImage(image, temporary) {
  const port = await freePort();
  const env = { PATH: process.env.PATH, ...image.env, PORT: String(port), HOST: '127.0.0.1', TMPDIR: temporary };
  check(image.user === 'node', 'the image runs as the user node');
  check((await exitCodeOf(runIn(image, image.healthcheck, env))) === 1, 'the health check fails while nothing runs');
  const service = runIn(image, image.command, env);
  let output = '';
  service.stdout.on('data', (text) => (output += text));
  service.stderr.on('data', (text) => (output += text));
  const ended = once(service, 'exit');
  try {
    const endsAt = Date.now() + START_TIMEOUT_MS;
    while (!output.includes('Signet is ready')) {
      if (service.exitCode !== null || Date.now() > endsAt) throw new Error(`The service does not start:\n${output}`);
      await delay(200);
    }
    check((await exitCodeOf(runIn(image, image.healthcheck, env))) === 0, 'the health check passes once it serves');
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    const health = /** @type {{ revision: string }} */ (await answer.json());
    check(health.revision === REVISION, 'GET /healthz answers the revision of the build argument');
    if (IMAGE_USER.uid) {
      const write = runIn(image, ['sh', '-c', 'echo x > dist/x'], env);
      check((await exitCodeOf(write)) !== 0, 'its user cannot write to what is run');
    }
    service.kill('SIGTERM');
    const [code] = await Promise.race([ended, delay(25_000, ['too late'])]);
    check(code === 0, 'SIGTERM reaches the service, which ends by itself');
    check((await exitCodeOf(runIn(image, ['node', 'scripts/verify.mjs'], env))) === 0, 'npm run verify works in it');
  } finally {
    service.kill('SIGKILL');
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'signet-docker-'));
try {
  chmodSync(folder, 0o755);
  console.log('compose.yaml against the published schema');
  const problems = await validateCompose(path.join(root, 'docker/compose.yaml'), folder);
  check(problems.length === 0, `it is valid${problems.map((problem) => `\n      ${problem}`).join('')}`);

  console.log('The steps of docker/Dockerfile');
  const dockerfile = readFileSync(path.join(root, 'docker/Dockerfile'), 'utf8');
  const image = buildImage({ dockerfile, root, folder, args: { SIGNET_REVISION: REVISION } });
  /** @param {string} name */
  const isThere = (name) => spawnSync('test', ['-e', path.join(image.workdir, 'node_modules', name)]).status === 0;
  check(isThere('pg') && !isThere('typescript') && !isThere('jest'), 'it holds no package that only development needs');
  /** @param {string} name */
  const megabytes = (name) => Math.round(directorySize(path.join(image.workdir, name)) / 1e6);
  console.log(`  node_modules ${megabytes('node_modules')} MB, dist ${megabytes('dist')} MB`);

  console.log('What it starts');
  const temporary = path.join(folder, 'tmp');
  spawnSync('mkdir', ['-m', '1777', temporary]);
  await tryImage(image, temporary);
  console.log('All of it works.');
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
