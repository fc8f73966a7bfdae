import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked } from '../packages/installed.js';

/** How a run of the command ended. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output, one object a line. */
  lines: any[]; // eslint-disable-line @typescript-eslint/no-explicit-any -- each command prints a shape of its own
}

/** A run that goes on. */
interface RunningCommand {
  stdout(): string;
  stderr(): string;
  /** As Ctrl-C does it. */
  interrupt(): void;
  ended: Promise<Run>;
}

/** The command as somebody has it who installed the tarballs into an empty project, with a home of its own. */
export interface InstalledCommand {
  home: string;
  /** Where the executable is. */
  folder: string;
  /** Runs it to its end, with nothing but these variables, in one process for all runs. */
  run(words: string[], env?: Record<string, string>, input?: string): Promise<Run>;
  /** Starts its executable, as a shell does. */
  start(words: string[], env?: Record<string, string>, input?: string): RunningCommand;
  remove(): void;
}

export function installCommand(baseUrl: () => string): InstalledCommand {
  const project = installPacked(['verify', 'look', 'sdk', 'cli']);
  const home = mkdtempSync(path.join(tmpdir(), 'signet-home-'));
  const folder = path.join(project.folder, 'node_modules/.bin');
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    HOME: home,
    SIGNET_SERVER: baseUrl(),
    ...env,
  });
  const host = commandHost(path.join(project.folder, 'node_modules/@signet/cli/dist/program.js'), home);
  const start = (words: string[], env?: Record<string, string>, input = ''): RunningCommand => {
    const child = spawn(path.join(folder, 'signet'), words, { cwd: home, env: environment(env) });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += String(text)));
    child.stderr.on('data', (text) => (stderr += String(text)));
    child.stdin.on('error', () => {}); // it may not want to read
    child.stdin.end(input);
    const ended = new Promise<Run>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr, lines: jsonLines(stdout) }));
    });
    return { stdout: () => stdout, stderr: () => stderr, interrupt: () => void child.kill('SIGINT'), ended };
  };
  return {
    home,
    folder,
    start,
    run: (words, env, input = '') => host.run(words, environment(env), input),
    remove: () => {
      host.close();
      project.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const HOST = fileURLToPath(new URL('command-host.mjs', import.meta.url));

/** A process that is started for the first run, and makes all of them. */
function commandHost(program: string, cwd: string) {
  let child: Promise<ChildProcess> | undefined;
  let count = 0;
  const begin = async () => {
    const started = fork(HOST, [program], { cwd, env: { PATH: process.env.PATH, HOME: cwd }, execArgv: [] });
    await once(started, 'message');
    return started.setMaxListeners(0);
  };
  return {
    run: async (words: string[], env: Record<string, string | undefined>, input: string): Promise<Run> => {
      const host = await (child ??= begin());
      const id = (count += 1);
      const ended = new Promise<Run>((resolve, reject) => {
        const whenOver = () => reject(new Error('The process of the command is over.'));
        const take = ({ id: of, ...run }: { id: number; code: number; stdout: string; stderr: string }) => {
          if (of !== id) return;
          host.off('message', take).off('exit', whenOver);
          resolve({ ...run, lines: jsonLines(run.stdout) });
        };
        host.on('message', take).once('exit', whenOver);
      });
      host.send({ id, words, env, input });
      return ended;
    },
    close: () =>
      void child?.then(
        (host) => host.kill(),
        () => {},
      ),
  };
}

function jsonLines(text: string): unknown[] {
  try {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  } catch {
    return [];
  }
}
