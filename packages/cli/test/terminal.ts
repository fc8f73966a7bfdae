/** A person at a terminal, in this process: the command reads what is typed and writes what is seen. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { until } from '../../sdk/test/support/until.js';
import type { ExitCode } from '../src/exit.js';
import { run } from '../src/program.js';

export interface Terminal {
  /** Waits until all of this was shown since the last key, then types the line and Enter. */
  answer(question: string, line: string): Promise<void>;
  /** Waits until this is to be seen. */
  sees(text: string): Promise<void>;
  /** Ctrl-C, which is a key of a terminal in raw mode. */
  ctrlC(): void;
  /** Everything that was shown so far, without control sequences. */
  screen(): string;
  code: Promise<ExitCode>;
}

export interface TerminalOptions {
  env?: Record<string, string>;
  /** False: standard input is a pipe. */
  isTerminal?: boolean;
  /** Aborted: Ctrl-C while nothing is asked. */
  signal?: AbortSignal;
}

/**
 * Where those who bring no home keep what they have seen: one for the tests of a file. Servers of other tests had the
 * same addresses, and keys of their own.
 */
const home = mkdtempSync(path.join(tmpdir(), 'signet-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Starts a command at a terminal. */
export function atTerminal(
  words: string[],
  { env = {}, isTerminal = true, signal = new AbortController().signal }: TerminalOptions = {},
): Terminal {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let seen = '';
  let read = 0;
  stdout.on('data', (part) => (seen += stripVTControlCharacters(String(part))));
  const screen = Object.assign(stdout, { isTTY: isTerminal, columns: 120 });
  const code = run(words, {
    stdin: Object.assign(stdin, { isTTY: isTerminal }),
    stdout: screen,
    stderr: screen,
    env: { NO_COLOR: '1', HOME: home, ...env },
    signal,
  });
  const sees = (text: string) => until(() => seen.slice(read).includes(text));
  return {
    sees,
    answer: async (question, line) => {
      await sees(question);
      read = seen.length;
      stdin.write(`${line}\r`);
    },
    ctrlC: () => void stdin.write('\u0003'),
    screen: () => seen,
    code,
  };
}

/** Runs a command to its end where nobody is to be asked. */
export async function runHere(
  words: string[],
  env: Record<string, string> = {},
): Promise<{ code: ExitCode; text: string }> {
  const { code, screen } = atTerminal(words, { env, isTerminal: false });
  return { code: await code, text: screen() };
}
