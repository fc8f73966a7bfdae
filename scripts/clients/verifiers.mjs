/**
 * The three verifiers: `packages/verify`, and those of examples/verifiers in Python and Go. Each has to return the
 * expected result for all vectors, to verify an export of the server that the programs have used, and to exit with the
 * right code.
 */
import { readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { person } from '../vectors/people.mjs';
import { bindWallet } from './bind-wallet.mjs';
import { writeChangedVectors } from './changed-vectors.mjs';
import { run } from './commands.mjs';
import { SEED } from './random.mjs';

/** @import { Person } from '../vectors/types.d.ts' */
/** @import { Step } from './types.d.ts' */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLES = path.join(ROOT, 'examples/verifiers');
const VECTORS = path.join(ROOT, 'vectors');
/** Vectors that are changed at random, for each file. */
const CHANGES = 420;
const CLI = [process.execPath, path.join(ROOT, 'packages/cli/bin/signet.mjs')];

/** @param {string} folder @param {string} ending */
const sourcesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

/**
 * What each is made with; `commands` gets a folder to build in, builds it and returns how it is called.
 * @type {Record<string, Pick<Step, 'library' | 'sources' | 'needs'> & { commands: (work: string) => { verify: string[],
 *   vectors: string[] } }>}
 */
const VERIFIERS_BY_LANGUAGE = {
  typescript: {
    library: 'noble; packages/verify',
    sources: sourcesIn(path.join(ROOT, 'packages/verify/src'), '.ts'),
    needs: [['node', '--version']],
    commands: () => ({
      verify: [...CLI, 'verify'],
      vectors: [process.execPath, path.join(ROOT, 'scripts/vectors/check.mjs')],
    }),
  },
  python: {
    library: 'coincurve',
    sources: sourcesIn(path.join(EXAMPLES, 'python'), '.py'),
    needs: [['python3', '-m', 'venv', '--help']],
    commands(work) {
      const python = path.join(work, 'venv-verifier/bin/python3');
      const program = [python, path.join(EXAMPLES, 'python/verify.py')];
      run(work, 'python3', ['-m', 'venv', 'venv-verifier']);
      run(work, python, ['-m', 'pip', 'install', '--quiet', 'coincurve==21.0.0']);
      return { verify: [...program, 'verify'], vectors: [...program, 'vectors'] };
    },
  },
  go: {
    library: 'decred secp256k1, x/crypto/sha3',
    sources: sourcesIn(path.join(EXAMPLES, 'go'), '.go'),
    needs: [['go', 'version']],
    commands(work) {
      const program = path.join(work, 'verifier');
      run(path.join(EXAMPLES, 'go'), 'go', ['vet', '.']);
      run(path.join(EXAMPLES, 'go'), 'go', ['build', '-o', program, '.']);
      return { verify: [program, 'verify'], vectors: [program, 'vectors'] };
    },
  },
};

/**
 * Steps of `npm run test:clients`.
 * @type {Step[]}
 */
export const VERIFIERS = Object.entries(VERIFIERS_BY_LANGUAGE).map(
  ([language, { library, sources, needs, commands }]) => ({
    language,
    what: 'verifier',
    library,
    sources,
    needs,
    async try({ work, baseUrl }) {
      const { verify, vectors } = commands(work);
      const count = await sayTheSame(vectors, VECTORS);
      const changed = path.join(work, 'vectors');
      await writeChangedVectors(VECTORS, changed, CHANGES, SEED);
      const changedCount = await sayTheSame(vectors, changed, `TEST_SEED=${SEED}: `);
      const own = await exportFrom(baseUrl, path.join(work, 'export.json'), person(`alice of ${language}`));
      await tryEndings(verify, own);
      return `${count} vectors, and ${changedCount} changed at random, reasons included; an export of the server verifies`;
    },
  }),
);

/**
 * How many vectors a folder has.
 * @param {string[]} vectors
 * @param {string} folder
 * @param {string} [where]
 * @throws Error that begins with `where` if the verifier returns another result for one
 */
async function sayTheSame(vectors, folder, where = '') {
  const { stdout, stderr } = await call([...vectors, folder]);
  const [, count] = /^(\d+) of \1 vectors as expected$/m.exec(stdout) ?? [];
  if (count === undefined) throw new Error(`${where}${stdout}${stderr}`.trim().slice(0, 500));
  return count;
}

/**
 * An export of an Avatar, in a file, that has just bound a wallet, named a recovery key, let keys of apps of each
 * algorithm write, and frozen itself.
 * @param {string} baseUrl
 * @param {string} file
 * @param {Person} avatar
 */
async function exportFrom(baseUrl, file, avatar) {
  await bindWallet(baseUrl, avatar, person('wallet'));
  const env = { SIGNET_PRIVATE_KEY: Buffer.from(avatar.secret).toString('hex') };
  /** @param {string[]} words */
  const signet = async (...words) => {
    const { status, stdout, stderr } = await call([...CLI, '--server', baseUrl, ...words], env);
    if (status !== 0) throw new Error(`signet ${words[0]}: ${stderr}`);
    return stdout;
  };
  for (const algorithm of ['ed25519', 'es256', 'secp256k1']) {
    const key = path.join(path.dirname(file), `${algorithm}.json`);
    await rm(key, { force: true });
    await signet('keys', 'add', key, '--algorithm', algorithm, '--scope', `kv:self:${avatar.uncompressed}`);
    await signet('kv', 'patch', 'self', avatar.avatar, JSON.stringify({ [algorithm]: true }), '--signer', key);
    await signet('keys', 'revoke', key);
  }
  await signet('keys', 'commit', `eip155:${person('paper').address}`);
  await signet('keys', 'freeze');
  await writeFile(file, await signet('export', avatar.avatar));
  return file;
}

/**
 * Checks the exit codes: 0 if nothing failed, 1 if something did, 2 for wrong usage, with one line of explanation.
 * @param {string[]} verify
 * @param {string} own
 */
async function tryEndings(verify, own) {
  const full = path.join(VECTORS, 'exports/full.json');
  const policy = path.join(VECTORS, 'exports/policy.txt');
  /**
   * Copies of a file as editors and shells save it, beside the export of the server.
   * @param {string} file
   * @param {string} name
   * @param {(written: string) => string | Buffer} encode
   */
  const saved = async (file, name, encode) => {
    const copy = path.join(path.dirname(own), name);
    await writeFile(copy, encode((await readFile(file, 'utf8')).replaceAll('\n', '\r\n')));
    return copy;
  };
  /** @param {string} written */
  const marked = (written) => `\ufeff${written}`;
  /** @type {[words: string[], status: number][]} */
  const endings = [
    [['--policy', await saved(policy, 'marked.txt', marked), await saved(full, 'marked.json', marked)], 0],
    [[await saved(full, 'utf-16.json', (written) => Buffer.from(marked(written), 'utf16le'))], 0],
    [[await saved(full, 'utf-16be.json', (written) => Buffer.from(marked(written), 'utf16le').swap16())], 0],
    [[await saved(full, 'latin-1.json', (written) => Buffer.from(written.replace('"', '"é'), 'latin1'))], 2],
    [[own], 0],
    [['--policy', policy, full], 0],
    [[path.join(VECTORS, 'exports/one-wallet.json')], 0],
    [['--policy', policy, own], 1],
    [[path.join(VECTORS, 'keys.json')], 1],
    [[path.join(VECTORS, 'nothing.json')], 2],
    [['--policy', full, full], 2],
    [[], 2],
  ];
  for (const [words, expected] of endings) {
    const { status, stdout, stderr } = await call([...verify, ...words]);
    const isSaid = status === 0 || `${stdout}${stderr}`.trim() !== '';
    const what = words.map((word) => path.basename(word)).join(' ');
    if (status !== expected || !isSaid || /Traceback|panic|at .*\.js:\d/.test(stderr)) {
      throw new Error(`verify ${what} ended with ${status} and said: ${`${stdout}${stderr}`.slice(-300)}`);
    }
  }
}

/**
 * Not spawnSync: the server is in this process, and closes connections that wait for long.
 * @param {string[]} words
 * @param {Record<string, string>} [env]
 */
async function call([command, ...words], env = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status, stdout, stderr };
}
