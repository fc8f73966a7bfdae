import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { History, type LogServer, startLogServer } from '../../sdk/test/support/log-server.js';
import { anAvatar } from '../../sdk/test/support/people.js';
import { jsonReply, type PlainReply } from '../../sdk/test/support/stand-in.js';
import { runHere } from './terminal.js';

const alice = anAvatar('alice');
const NAMES = { service_name: 'signet', platforms: [] };
const NOBODY = { pagination: { total: 0, per: 100, current: 1, next: 0 }, ids: [] };

describe('signet export', () => {
  let home: string;
  let server: LogServer;
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'signet-export-'));
    const history = new History();
    history.addPatch(alice, { name: 'Alice' });
    server = await startLogServer(history);
    server.intercept(({ path: one }) => answers.get(one));
  });
  afterEach(async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const answers = new Map([
    ['/v1/platforms', jsonReply(NAMES)],
    ['/v1/proof', jsonReply(NOBODY)],
  ]);
  const answer = (asked: string, reply: PlainReply) => {
    server.intercept(({ path: one }) => (one === asked ? reply : answers.get(one)));
  };
  const write = () =>
    runHere(['export', alice.key.compressed, '--json'], { HOME: home, SIGNET_SERVER: server.baseUrl });

  it('notes that nothing shows that the file is complete where the server keeps no map', async () => {
    const { code, text } = await write();

    expect(code).toBe(0);
    expect(text).toContain('Nothing shows that the file is complete. It carries no answer of the map');
    expect(text).not.toContain('The file lacks the proofs');
  });

  it('notes alone that there are no proofs where the server keeps no log', async () => {
    answer('/v1/log', jsonReply({ message: 'No such thing.', code: 'not_found' }, 404));

    const { text } = await write();

    expect(text).toContain('The file carries no proofs of a log');
    expect(text).not.toContain('complete');
  });
});
