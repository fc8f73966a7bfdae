import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { anAvatar } from '../support/avatar.js';
import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';

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

describe('a command that is about a name, which is also that of another command,', () => {
  it('ends by itself after Ctrl-C', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const server = await startStandIn(() => {
      asked();
      return 'hang';
    });
    const words = ['--server', server.baseUrl, 'exists', 'github', 'verify', anAvatar('alice').key.compressed];
    const child = spawn(process.execPath, [COMMAND, ...words], { stdio: 'ignore' });
    try {
      const ended = once(child, 'exit');
      await isAsked;
      child.kill('SIGINT');

      expect(await ended).toEqual([130, null]);
    } finally {
      child.kill('SIGKILL');
      await server.close();
    }
  });
});
