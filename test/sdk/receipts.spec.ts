import { jest } from '@jest/globals';
import { type Client, createClient, fromPrivateKey, MemoryReceiptStore, ReceiptBrokenError } from '@signet/sdk';
import { readReceipt } from '@signet/verify/log';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { tamper } from '../transparency-log/tampering.js';
import { getRaw, readHead } from '../transparency-log/log-client.js';

const alice = anAvatar('alice');
const OTHER = '74913704-0904-4e3a-9fa1-ce6a90be6612';

describe('receipts that a client keeps', () => {
  let database: TestDatabase;
  let server: RunningApp;
  let proxy: LyingProxy;
  let store: MemoryReceiptStore;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url, env: { LOG_RECEIPT_SECONDS: '60' } });
    proxy = await startLyingProxy(server.baseUrl);
    await until(async () => (await readHead(server)) !== null);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.close();
    await database?.drop();
  });
  beforeEach(() => {
    proxy.lie = null;
    store = new MemoryReceiptStore();
    client = createClient({ baseUrl: proxy.baseUrl, verify: 'log', log: { receipts: store }, retries: 0 });
  });

  const signer = () => fromPrivateKey(alice.privateKey);
  const patch = async (value: object) =>
    client.kv.patch({ platform: 'self', identity: alice.key.compressed, patch: value, signer: signer() });
  const bind = async (name: string) => {
    const wallet = aWallet(name);
    const walletSigner = fromPrivateKey(wallet.privateKey);
    return client.bind({
      platform: 'ethereum',
      identity: wallet.address,
      signer: signer(),
      wallet: { sign: async (text: string) => ({ wallet_signature: await walletSigner.sign(text) }) },
    });
  };
  const isLogged = (uuid: string) =>
    until(async () => (await getRaw(server, `/v1/log/proof?uuid=${uuid}`)).status === 200);
  const kept = () => store.all(proxy.baseUrl);

  it('come with bindings and patches, and are removed when the log has what they promise', async () => {
    const link = await bind('one');
    const content = await patch({ name: 'Alice' });
    const receipts = [link.receipt!, content.receipt!].map((text) => readReceipt(text)!.receipt);
    expect(receipts.map(({ kind }) => kind)).toEqual(['link', 'kv']);
    expect(kept().map(({ uuid }) => uuid)).toEqual(receipts.map(({ uuid }) => uuid));
    for (const { uuid } of receipts) await isLogged(uuid);

    const { fulfilled, waiting } = await client.checkReceipts();

    expect(fulfilled).toEqual(receipts);
    expect([waiting, kept()]).toEqual([[], []]);
  });

  it('are null where the server gives none, and asked for again where the answer was lost', async () => {
    proxy.lie = (path, answer) => {
      if (path === '/v1/kv') delete answer.receipt;
    };
    expect(readReceipt((await patch({ a: 1 })).receipt!)).not.toBeNull();
  });

  it('are refused at once where they are of something else, or not signed by the key that is known', async () => {
    const other = (await patch({ a: 2 })).receipt!;
    proxy.lie = (path, answer) => {
      if (path === '/v1/kv') answer.receipt = other;
    };
    await expect(patch({ a: 3 })).rejects.toThrow(/It was recorded \([0-9a-f-]+\), but this is not its receipt/);
    proxy.lie = (path, answer) => {
      if (path === '/v1/kv') answer.receipt = answer.receipt.replace(/deadline \d+/, 'deadline 9999999999');
    };
    await expect(patch({ a: 4 })).rejects.toThrow(/the key of the log did not sign its receipt/);
  });

  it('wait until their time has passed, and are broken then: the error carries what proves it', async () => {
    const { receipt } = await patch({ a: 5 });
    const { uuid } = readReceipt(receipt!)!.receipt;
    await isLogged(uuid);
    await tamper(database.url, `update kv_patch set uuid = '${OTHER}' where uuid = '${uuid}'`);
    expect((await client.checkReceipts()).waiting.map((one) => one.uuid)).toEqual([uuid]);

    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
    const error: ReceiptBrokenError = await client.checkReceipts().catch((thrown) => thrown);
    clock.mockRestore();

    expect(error).toBeInstanceOf(ReceiptBrokenError);
    expect(error).toMatchObject({ receipt, found: null, checkpoint: (await getRaw(server, '/log/checkpoint')).text });
    expect(kept()).toHaveLength(1);
    await tamper(database.url, `update kv_patch set uuid = '${uuid}' where uuid = '${OTHER}'`);
  });

  it('are broken where the log has it otherwise', async () => {
    const { receipt, uuid } = await bind('two');
    await isLogged(uuid);
    proxy.lie = (path, answer) => {
      if (!path.startsWith('/v1/proofchain/changes')) return;
      for (const link of answer.links) if (link.uuid === uuid) link.proof_location = 'elsewhere';
    };

    const error: ReceiptBrokenError = await client.checkReceipts().catch((thrown) => thrown);

    expect(error).toBeInstanceOf(ReceiptBrokenError);
    expect(error.receipt).toBe(receipt);
    expect(error.found).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
  });
});
