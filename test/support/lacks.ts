import { spawnSync } from 'node:child_process';
import type { Lack } from '../../packages/verify/test/support/unless.js';

/** Why a command cannot be used here: it is not installed, or fails with these words. */
export function lackOf(command: string, words: string[] = ['--version']): Lack {
  if (spawnSync(command, words, { stdio: 'ignore' }).status === 0) return null;
  return `"${[command, ...words].join(' ')}" fails here`;
}

/** Why the first of these commands that is missing cannot be used. */
export function lackOfAny(commands: string[]): Lack {
  return commands.map((command) => lackOf(command)).find((lack) => lack !== null) ?? null;
}
