import { createClient } from '@signet/sdk';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

/** What the documents say of answers that are checked: what a server leaves out is not noticed. */
describe('a client that checks signatures and the log', () => {
  const alice = anAvatar('alice');
  const wallet = aWallet('one');
  let running: RunningApp;
  let proxy: LyingProxy;
  beforeAll(async () => {
    running = await startApp();
    proxy = await startLyingProxy(running.baseUrl);
    await linkWallet(running, alice, aWallet('two'));
    await linkWallet(running, alice, wallet);
    await headOfRecords(running, 2);
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
  });

  it('returns a revoked binding as bound, where the server hides the revoke', async () => {
    const avatar = alice.key.compressed;
    const { service_name: platform } = (await running.get('/v1/platforms')).body;
    const before = (await running.get(`/v1/proof?platform=${platform}&identity=${avatar}`)).body;
    await linkWallet(running, alice, wallet, { action: 'delete' });
    await headOfRecords(running, 3);
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proofchain?')) {
        answer.proof_chain.pop();
        answer.pagination.total -= 1;
      }
      if (path.startsWith('/v1/proof?')) Object.assign(answer, before);
    };
    const lied = createClient({ baseUrl: proxy.baseUrl, demand: { log: true } });
    const honest = createClient({ baseUrl: running.baseUrl, demand: { log: true } });

    const shown = (await lied.proofs.of(avatar))!.proofs.map(({ identity }) => identity);
    expect(shown).toContain(wallet.address);
    expect(await lied.chain(avatar).toArray()).toHaveLength(2);
    expect((await honest.proofs.of(avatar))!.proofs).toHaveLength(1);
  });

  it('returns nothing, where the server shows nothing', async () => {
    proxy.lie = (path, answer) => {
      if (path.startsWith('/v1/proof?'))
        Object.assign(answer, { ids: [], pagination: { ...answer.pagination, total: 0 } });
    };
    const client = createClient({ baseUrl: proxy.baseUrl, demand: { log: true } });

    expect(await client.proofs.of(alice.key.compressed)).toBeNull();
    expect(await client.proofs.find({ identity: aWallet('two').address }).toArray()).toEqual([]);
  });
});
