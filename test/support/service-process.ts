import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { clientOf, type RunningApp } from './app.js';
import { PATIENT } from './engines.js';
import { TEST_DATA_DIR } from './database.js';
import { QUICK_START } from './tier.js';
import { until } from './until.js';

/** The program that the build made. */
export const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
/** Generous, because the first start makes a database cluster and the machine may be busy. */
const READY_TIMEOUT_MS = 300_000;

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Standard output and standard error. */
  output: string;
}

/** The built service in a process of its own, as an operator runs it. */
export interface ServiceProcess extends Pick<RunningApp, 'get' | 'post'> {
  baseUrl: string;
  pid: number;
  /** Standard output and standard error so far. */
  output(): string;
  /** Sends a signal; `ended` tells what comes of it. */
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ending>;
  /** SIGKILL; resolves when the process is gone. Does no harm to one that is gone already. */
  kill9(): Promise<void>;
}

/** A process that was spawned and may not be ready, or never become it. */
export interface StartingService {
  ended: Promise<Ending>;
  /** Standard output and standard error so far. */
  output(): string;
  /** Sends a signal; `ended` tells what comes of it. */
  signal(name: NodeJS.Signals): void;
  /** @throws Error with the output if it ends before it is ready. */
  ready(): Promise<ServiceProcess>;
  kill9(): Promise<void>;
}

/**
 * Starts the built service with `env` alone (nothing is inherited but PATH and TMPDIR), on a free port of loopback
 * unless `env` says otherwise; `openFiles` is the most that the system lets it have open, `main` the program of another
 * version, `words` what Node is told before it.
 */
export function launchService(
  env: Record<string, string>,
  openFiles?: number,
  main = MAIN,
  words = QUICK_START,
): StartingService {
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...words, main], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: TEST_DATA_DIR,
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
      ...PATIENT,
      // A busy test machine must not make the service refuse a test.
      LOAD_SHEDDING: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal, output }));
  const kill9 = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    ended,
    output: () => output,
    signal,
    kill9,
    ready: async () => {
      const port = await portOf(child, () => output, ended).catch(async (error: unknown) => {
        await kill9();
        throw error;
      });
      const baseUrl = `http://127.0.0.1:${port}`;
      return { baseUrl, pid: child.pid!, output: () => output, signal, ended, kill9, ...clientOf(baseUrl) };
    },
  };
}

/** Starts the service and waits until it serves. */
export function startService(...given: Parameters<typeof launchService>): Promise<ServiceProcess> {
  return launchService(...given).ready();
}

/**
 * What the service said of itself and logged, as a person would read it: of each line that is JSON the message, and the
 * stack where it has one.
 */
export function messagesIn(output: string): string {
  const read = (line: string): string => {
    if (!line.startsWith('{')) return line;
    const { message, stack } = JSON.parse(line) as { message: string; stack?: string };
    return stack === undefined ? message : `${message}\n${stack}`;
  };
  // The last line may not be whole yet.
  return output.split('\n').slice(0, -1).map(read).join('\n');
}

/** Starts a service that is expected to refuse. One that waits or serves instead is killed, and ends with no code. */
export async function runService(env: Record<string, string>): Promise<Ending> {
  const service = launchService(env);
  let isOver = false;
  void service.ended.then(() => (isOver = true));
  const goesOn = () => /Trying again in|is ready/.test(service.output());
  await until(() => isOver || goesOn()).finally(() => service.kill9());
  return service.ended;
}

/** The port in the line, or at a terminal the lines, that say that the service is ready. */
async function portOf(child: ChildProcess, output: () => string, ended: Promise<Ending>): Promise<string> {
  const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
  const tooLate = once(timeout, 'abort').then(() => {
    throw new Error(`The service was not ready in ${READY_TIMEOUT_MS} ms: ${output()}`);
  });
  const tooEarly = ended.then(({ code }) => {
    throw new Error(`The service ended with code ${code} before it was ready: ${output()}`);
  });
  for (;;) {
    const port = /is ready[^]*?http:\/\/localhost:(\d+)[^]*\n/.exec(output())?.[1];
    if (port) {
      tooEarly.catch(() => {});
      tooLate.catch(() => {});
      return port;
    }
    await Promise.race([once(child.stdout!, 'data'), tooEarly, tooLate]);
  }
}
