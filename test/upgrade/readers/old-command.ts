import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** How a run of the command of a released version ended. */
export interface OldRun {
  code: number | null;
  /** Standard output and standard error. */
  text: string;
}

/** What a program may take on a busy machine. */
const LONGEST_MS = 300_000;

/** The command `signet` of a released version, as its own tree built it, with a home of its own. */
export class OldCommand {
  constructor(
    private readonly tree: string,
    private readonly home: string,
    private readonly server: string,
  ) {}

  run(...words: string[]): Promise<OldRun> {
    return this.runFile('packages/cli/bin/signet.mjs', words, { SIGNET_SERVER: this.server });
  }

  /** Runs a program of the tree, with nothing but these variables. */
  async runFile(file: string, words: string[], env: Record<string, string>): Promise<OldRun> {
    const child = spawn(process.execPath, [path.join(this.tree, file), ...words], {
      cwd: this.tree,
      env: { PATH: process.env.PATH, HOME: this.home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }
}
