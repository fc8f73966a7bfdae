/** Starts the programs that `npm run test:witness` needs, and stops them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.mjs';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

/**
 * Asks again until there is an answer that is neither false nor null.
 * @template Answer
 * @param {string} what
 * @param {() => Answer | Promise<Answer>} ask
 * @returns {Promise<NonNullable<Answer>>}
 * @throws Error that names `what` if it does not come in time
 */
export async function until(what, ask) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what} did not come in ${PATIENCE_MS / 1000} s`);
    await pause(PAUSE_MS);
  }
}

/**
 * A program that runs; `said` is what it wrote so far.
 * @param {string} command
 * @param {string[]} words
 * @param {Record<string, string>} [env]
 */
function start(command, words, env = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ...env } });
  const program = {
    said: '',
    isEnded: false,
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
    /**
     * The first group of the pattern, once the program has written it.
     * @param {RegExp} pattern
     */
    says: (pattern) =>
      until(`what ${path.basename(command)} says`, () => {
        const found = pattern.exec(program.said);
        if (!found && program.isEnded) throw new Error(`${path.basename(command)} ended and said: ${program.said}`);
        return found?.[1];
      }),
  };
  const ended = once(child, 'close').then(() => (program.isEnded = true));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (program.said += text));
  return program;
}

/**
 * A litewitness with its key and its database in `folder`. It can be stopped and started again at the same address.
 * @param {{ litewitness: string, client: string }} tools paths of the programs
 * @param {string} folder
 * @param {string} name
 * @param {Uint8Array} seed of its key, 32 bytes
 */
export async function aLitewitness({ litewitness, client }, folder, name, seed) {
  const socket = path.join(folder, 'agent.sock');
  const database = path.join(folder, 'litewitness.db');
  const address = `127.0.0.1:${await freePort()}`;
  const agent = start(client, ['agent', socket, Buffer.from(seed).toString('hex')]);
  const fingerprint = await agent.says(/^(SHA256:\S+)\n/);
  const words = ['-name', name, '-key', fingerprint, '-ssh-agent', socket, '-db', database, '-listen', address];
  /** @type {ReturnType<typeof start>} */
  let running;
  const witness = {
    url: `http://${address}`,
    database,
    key: '',
    async start() {
      running = start(litewitness, words);
      witness.key = await running.says(/vkey=(\S+)/);
      await until('an answer of litewitness', () => isAnswering(witness.url));
    },
    stop: () => running.stop('SIGINT'),
    async end() {
      await running?.stop('SIGKILL');
      await agent.stop();
    },
  };
  return witness;
}

/**
 * This service as a process of its own, with its embedded database in `folder`.
 * @param {string} folder
 * @param {Record<string, string>} env
 */
export async function aSignet(folder, env) {
  const server = start(process.execPath, [MAIN], {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
    LOG_LEVEL: 'warn',
    ...env,
  });
  const baseUrl = `http://127.0.0.1:${await server.says(/is ready[^]*?http:\/\/localhost:(\d+)/)}`;
  return {
    baseUrl,
    get said() {
      return server.said;
    },
    /** @param {string} where @returns {Promise<any>} */
    get: async (where) => (await fetch(`${baseUrl}${where}`)).json(),
    /** @param {string} where */
    text: async (where) => (await fetch(`${baseUrl}${where}`)).text(),
    stop: server.stop,
  };
}

/** @param {string} url */
async function isAnswering(url) {
  try {
    return (await fetch(url)).status > 0;
  } catch {
    return false;
  }
}
