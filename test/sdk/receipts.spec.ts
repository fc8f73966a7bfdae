import { jest } from '@jest/globals';
import { type Client, createClient, fromPrivateKey, MemoryReceiptStore, ReceiptBrokenError } from '@signet/sdk';
import { readReceipt } from '@signet/verify/log';
import { logCommand } from '../../src/transparency-log/log-command.js';
import { LogIdentities } from '../../src/transparency-log/signing/heads/log-identity.js';
import { type Answer, type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';
import { createTestDatabase, TEST_DATA_DIR, type TestDatabase } from '../support/database.js';
import { databaseSettings } from '../support/engines.js';
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
    client = createClient({ baseUrl: proxy.baseUrl, demand: { log: true }, log: { receipts: store }, retries: 0 });
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

  it.each([
    ['of another record', { hash: '1'.repeat(64) }, 'its receipt is of another record than the one that was sent'],
    ['of another time', { time: 1_577_836_800 }, 'its receipt is of 2020-01-01T00:00:00.000Z'],
    [
      'for a hundred years',
      { deadline: Math.floor(Date.now() / 1000) + 100 * 31_557_600 },
      'its receipt promises it until 2\\d{3}-.* more than two days are no promise',
    ],
  ])('are refused at once where the log itself signed one %s', async (_what, change, problem) => {
    const identity = await server.app.get(LogIdentities).current();
    const outcomes: unknown[] = [];
    for (const write of [() => patch({ a: Math.random() }), () => bind(String(Math.random()))]) {
      proxy.lie = (path, answer) => {
        if (!['/v1/kv', '/v1/proof'].includes(path) || !answer.receipt) return;
        answer.receipt = identity.signReceipt({ ...readReceipt(answer.receipt)!.receipt, ...change });
      };
      outcomes.push(await write().catch((error: Error) => error.message));
    }

    const isRefused = expect.stringMatching(new RegExp(`It was recorded \\([0-9a-f-]+\\), but ${problem}`));
    expect(outcomes).toEqual([isRefused, isRefused]);
  });

  it.each([
    ['a place of a post', (answer: Answer) => (answer.proof_location = 'elsewhere'), 'which nobody sent'],
    ['another wallet signature', (answer: Answer) => (answer.extra.wallet_signature = 'AAEC'), 'not what was sent'],
    ['other facts', (answer: Answer) => (answer.extra.note = 'x'), 'is of another record'],
  ])('are held against what the server says that it wrote: %s is refused', async (_what, change, problem) => {
    proxy.lie = (path, answer) => {
      if (path === '/v1/proof') change(answer);
    };

    await expect(bind(String(Math.random()))).rejects.toThrow(problem);
  });

  it('are held against the chain where the answer does not say what was written', async () => {
    proxy.lie = (path, answer) => {
      if (path === '/v1/proof') for (const name of Object.keys(answer)) delete answer[name];
    };
    const link = await bind('lost');

    expect(readReceipt(link.receipt!)!.receipt.uuid).toBe(link.uuid);
  });

  it('are demanded where that was asked for', async () => {
    const off = await startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    const write = (demandReceipt: boolean) =>
      createClient({ baseUrl: off.baseUrl, log: { demandReceipt } }).kv.patch({
        ...{ platform: 'self', identity: alice.key.compressed, patch: { b: 1 }, signer: signer() },
      });
    const outcomes = [await write(false), await write(true).catch((error: Error) => error.message)];
    await off.close();

    expect(outcomes).toEqual([
      expect.objectContaining({ receipt: null }),
      expect.stringMatching(/It was recorded \([0-9a-f-]+\), but the server gave none/),
    ]);
  });

  it('are broken by a server that denies its log for a day, and unanswered before', async () => {
    const { receipt: text } = await patch({ a: 6 });
    const { receipt } = readReceipt(text!)!;
    const off = await startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    const { verifier_key: verifierKey } = (await server.get('/v1/log')).body;
    store.add(off.baseUrl, { uuid: receipt.uuid, receipt: text!, verifierKey });
    const denied = createClient({ baseUrl: off.baseUrl, demand: { log: true }, log: { receipts: store }, retries: 0 });
    const now = Date.now.bind(Date);
    const checkIn = async (ms: number) => {
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
      const { broken, unanswered, waiting, fulfilled } = await denied.checkReceipts();
      clock.mockRestore();
      return { broken: broken.length, unanswered: unanswered.length, others: waiting.length + fulfilled.length };
    };

    const outcomes = [await checkIn(0), await checkIn(61_000), await checkIn(86_300_000), await checkIn(86_500_000)];
    await off.close();
    store.add(off.baseUrl, { ...store.all(off.baseUrl)[0]!, deniedSince: 0 });
    const unreached = await denied.checkReceipts();

    const isUnanswered = { broken: 0, unanswered: 1, others: 0 };
    expect(outcomes).toEqual([isUnanswered, isUnanswered, isUnanswered, { broken: 1, unanswered: 0, others: 0 }]);
    expect([unreached.broken, unreached.unanswered.length]).toEqual([[], 1]);
  });

  it('are all told, also where the first one is broken', async () => {
    const written = [await patch({ a: 7 }), await patch({ a: 8 }), await patch({ a: 9 })];
    const uuids = written.map(({ receipt }) => readReceipt(receipt!)!.receipt.uuid);
    for (const uuid of uuids) await isLogged(uuid);
    proxy.lie = (path, answer) => {
      if (!path.startsWith('/v1/kv/changes')) return;
      for (const item of answer.patches) if (uuids.slice(0, 2).includes(item.uuid)) item.patch = {};
    };

    const { broken, fulfilled } = await client.checkReceipts();

    expect(broken.map(({ receipt }) => readReceipt(receipt)!.receipt.uuid)).toEqual(uuids.slice(0, 2));
    expect(fulfilled.map(({ uuid }) => uuid)).toEqual(uuids.slice(2));
  });

  it('wait until their time has passed, and are broken then: the error carries what proves it', async () => {
    const { receipt } = await patch({ a: 5 });
    const { uuid } = readReceipt(receipt!)!.receipt;
    await isLogged(uuid);
    await tamper(database.url, `update kv_patch set uuid = '${OTHER}' where uuid = '${uuid}'`);
    expect((await client.checkReceipts()).waiting.map((one) => one.uuid)).toEqual([uuid]);

    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
    const [error] = (await client.checkReceipts()).broken;
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

    const [error] = (await client.checkReceipts()).broken;

    expect(error).toBeInstanceOf(ReceiptBrokenError);
    expect(error!.receipt).toBe(receipt);
    expect(error!.found).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
  });

  it('are kept by the log that the key of an ended one named, and broken where nothing names it', async () => {
    const { receipt: text } = await patch({ a: 10 });
    const { receipt } = readReceipt(text!)!;
    await isLogged(receipt.uuid);
    const variables = { ...process.env, ...databaseSettings(database.url), DATA_DIR: TEST_DATA_DIR };
    const lines: string[] = [];
    expect(await logCommand(variables, ['new-origin', 'for a test'], (line) => lines.push(line))).toBe(0);
    await until(async () => {
      const { origin, size } = (await server.get('/v1/log')).body;
      return origin !== receipt.log && size > 0;
    });
    await isLogged(receipt.uuid);

    proxy.lie = (path, answer) => {
      if (path === '/v1/log') answer.ended = [];
    };
    const unnamed = await client.checkReceipts();
    proxy.lie = (path, answer) => {
      if (path === '/v1/log') answer.ended[0].next = answer.ended[0].next.replace(/time \d/, 'time 9');
    };
    const forged = await client.checkReceipts();
    proxy.lie = null;
    const named = await client.checkReceipts();

    expect([unnamed.broken.length, forged.broken.length]).toEqual([1, 1]);
    expect(named).toEqual({ fulfilled: [receipt], waiting: [], broken: [], unanswered: [] });
    expect((await server.get('/v1/log')).body.ended).toMatchObject([{ origin: receipt.log }]);
  });
});
