import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { QUICK_START } from './tier.js';

/** Where the build put the compiled sources, as the start of a module specifier for `runModule`. */
export const BUILT = new URL('../../dist/src/', import.meta.url).href;

export interface Child {
  process: ChildProcess;
  /** The next line of its standard output. @throws Error with its standard error if it ends before. */
  line(): Promise<string>;
  /** The next line of its standard output, or null if it ended. */
  nextLine(): Promise<string | null>;
  /** SIGKILL; resolves when the process is gone. */
  kill9(): Promise<void>;
}

/** Runs the text of an ES module in a Node process of its own; `argv[1]` and on are `args`. */
export function runModule(source: string, ...args: string[]): Child {
  return runModuleIn({}, source, ...args);
}

/** Runs the text of an ES module as `runModule` does, with `env` added to the environment. */
export function runModuleIn(env: Record<string, string>, source: string, ...args: string[]): Child {
  const child = spawn(process.execPath, [...QUICK_START, '--input-type=module', '-e', source, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let complaints = '';
  const closed = once(child, 'close');
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  const nextLine = async () => {
    const { value, done } = await lines.next();
    return done ? null : value;
  };
  return {
    process: child,
    nextLine,
    line: async () => {
      const line = await nextLine();
      if (line !== null) return line;
      const [code, signal] = (await closed) as [number | null, string | null];
      throw new Error(`The process ended early (${signal ?? `exit code ${code}`}): ${complaints}`);
    },
    kill9: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Ids of the processes that `pid` started and that live. Linux only: read from /proc. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}
