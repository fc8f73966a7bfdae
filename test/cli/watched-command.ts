/** The command as built, watched while it reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How a program ended. */
export interface WatchedRun {
  code: number | null;
  text: string;
  /** The most memory that it had at once, in MB. */
  peakMb: number;
}

const PEAK = fileURLToPath(new URL('peak-memory.mjs', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/signet.mjs', import.meta.url));
/** What a program may take that should have ended by itself. */
const LONGEST_MS = 300_000;

/** Runs `signet` as built, to its end or to SIGTERM after 40 seconds. */
export async function watchCommand(words: string[], env: Record<string, string> = {}): Promise<WatchedRun> {
  const child = spawn(process.execPath, ['--import', PEAK, COMMAND, ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  const [code] = (await once(child, 'close')) as [number | null];
  const peakMb = Number(/peak-memory (\d+) KiB/.exec(text)?.[1]) / 1024;
  return { code, text, peakMb };
}
