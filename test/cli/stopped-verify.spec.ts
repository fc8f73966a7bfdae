import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/signet.mjs', import.meta.url));

describe('a check of a large file', () => {
  it.each([[['verify', '-']], [['--json', 'verify', '-']]])('is ended by Ctrl-C at once: signet %j', async (words) => {
    const child = spawn(process.execPath, [COMMAND, ...words], { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = once(child, 'exit');
    child.stdin.on('error', () => {}); // it ends while it reads
    // All but the end of it was read then, so the command waits for nothing but its own checks.
    child.stdin.end(`{"links":[${'{},'.repeat(2_000_000)}{}]}`, () => child.kill('SIGINT'));

    expect(await ended).toEqual([null, 'SIGINT']);
  });
});
