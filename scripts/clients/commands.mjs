/** Runs the tools of other languages. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Characters of the output of a failing command that are shown. */
const SHOWN_LINES = 15;

/**
 * Runs a command to its end.
 * @param {string} folder
 * @param {string} command
 * @param {string[]} words
 * @returns its output
 * @throws Error with the end of its output if it fails
 */
export function run(folder, command, words) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  if (status === 0) return said;
  const end = error?.message ?? said.trim().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`${path.basename(command)} ${words.slice(0, 3).join(' ')}: ${end}`);
}

/**
 * The names of the commands that this machine lacks, of `[command, ...words]` that succeed where it is there.
 * @param {string[][]} commands
 */
export function missingOf(commands) {
  return commands.filter(([command, ...words]) => spawnSync(command, words).status !== 0).map(([command]) => command);
}
