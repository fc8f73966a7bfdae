import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
  /** Runs it to its end, with nothing but these variables. */
  run(words: string[], env?: Record<string, string>, input?: string): Promise<Run>;
  start(words: string[], env?: Record<string, string>, input?: string): RunningCommand;
  remove(): void;
}

export function installCommand(baseUrl: () => string): InstalledCommand {
  const project = installPacked(['verify', 'look', 'sdk', 'cli']);
  const home = mkdtempSync(path.join(tmpdir(), 'signet-home-'));
  const folder = path.join(project.folder, 'node_modules/.bin');
  const start = (words: string[], env: Record<string, string> = {}, input = ''): RunningCommand => {
    const child = spawn(path.join(folder, 'signet'), words, {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, SIGNET_SERVER: baseUrl(), ...env },
    });
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
    run: (words, env, input) => start(words, env, input).ended,
    remove: () => {
      project.remove();
      rmSync(home, { recursive: true, force: true });
    },
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
