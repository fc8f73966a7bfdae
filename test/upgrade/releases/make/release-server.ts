import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { clientOf, type RunningApp } from '../../../support/app.js';
import { ADMIN_TOKEN, type AdminClient, adminOf } from '../../../support/admin.js';
import type { OutsideWorld } from '../accounts.js';

const SERVE = fileURLToPath(new URL('serve.mjs', import.meta.url));

/** A released version that serves, seen from outside. */
export interface ReleaseServer extends Pick<RunningApp, 'get' | 'post' | 'baseUrl'> {
  admin: AdminClient;
  /** Sets by how much its clock is ahead of the true time. */
  setClock(aheadMs: number): Promise<void>;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

/**
 * Starts the version whose tree is `tree` with `settings`; its names lead to `world`, and its clock is `aheadMs` ahead.
 * @throws Error with its output if it ends before it serves
 */
export async function startRelease(
  tree: string,
  settings: Record<string, string>,
  world: Pick<OutsideWorld, 'hosts' | 'certificateAuthority'>,
  aheadMs: number,
): Promise<ReleaseServer> {
  const given = { tree, hosts: world.hosts, certificateAuthority: await world.certificateAuthority(), aheadMs };
  const child = fork(SERVE, [JSON.stringify(given)], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      LOAD_SHEDDING: 'off',
      ADMIN_TOKEN,
      ...settings,
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout!.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(child, 'exit');
  const tooEarly = ended.then(() => Promise.reject(new Error(`The release ended before it served: ${output}`)));
  tooEarly.catch(() => {});
  const { port } = await Promise.race([nextMessage<{ port: number }>(child), tooEarly]);
  const baseUrl = `http://127.0.0.1:${port}`;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  return {
    baseUrl,
    ...clientOf(baseUrl),
    admin: adminOf({ baseUrl }),
    setClock: async (ms) => {
      const confirmed = nextMessage(child);
      child.send({ aheadMs: ms });
      await confirmed;
    },
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
  };
}

/**
 * Runs a program of the version whose tree is `tree`, such as `scripts/log.mjs`, over the database of `settings`.
 * @throws Error with what it said if it does not end with 0
 */
export async function runOfRelease(tree: string, settings: Record<string, string>, words: string[]): Promise<void> {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings };
  // Not a call that blocks: the database may be reached through a listener in this process.
  const child = spawn(process.execPath, words, { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => said.push(bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${Buffer.concat(said).toString()}`);
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message];
  return message;
}
