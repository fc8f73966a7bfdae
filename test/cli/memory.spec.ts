import {
  type Endless,
  type HostileServer,
  startHostileServer,
} from '../../packages/sdk/test/support/hostile-server.js';
import { watchCommand } from './watched-command.js';

const AVATAR = '0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d';
/** A run that reads an ordinary answer takes some 100 MB. */
const MOST_MB = 256;

let server: HostileServer;
const serve = async (kind: Endless): Promise<HostileServer> => (server = await startHostileServer(() => kind));
afterEach(() => server.close());

describe('the memory of the command', () => {
  it.each<[string, Endless, string[]]>([
    ['a search', 'plain', ['proofs', 'alice']],
    ['a search', 'gzip', ['proofs', 'alice']],
    ['a check of a server', 'chunked', ['doctor']],
    ['a checkpoint', 'chunked', ['log', 'checkpoint']],
    ['an export', 'chunked', ['export', AVATAR]],
    ['a stream', 'line', ['events', '--follow']],
  ])('stays small while it reads %s that never ends (%s), and it ends with 3', async (_what, kind, words) => {
    const { baseUrl } = await serve(kind);

    const { code, text, peakMb } = await watchCommand([...words, '--server', baseUrl]);

    process.stdout.write(`peak memory of signet ${words[0]} (${kind}): ${peakMb.toFixed(0)} MB\n`);
    expect(peakMb).toBeLessThan(MOST_MB);
    expect(text).toMatch(/longer than \d+ [KM]iB/);
    expect(code).toBe(3);
  });

  it('with --timeout, there is no other try behind the one that took all the time', async () => {
    const { baseUrl } = await serve('drip');

    const { code, text } = await watchCommand(['proofs', 'alice', '--timeout', '2', '--server', baseUrl]);

    expect(text).toContain(`No answer came from ${baseUrl} in 2 seconds.`);
    expect(code).toBe(3);
    expect(server.requests).toBe(1);
  });
});
