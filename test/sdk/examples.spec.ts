/** The examples of what needs a server: those of the reference, which `scripts/reference/examples.mjs` reads. */
import { createClient, fromWagmi, identityOfLink, MemoryHeadStore, MemoryReceiptStore } from '@signet/sdk';
import {
  CompleteReads,
  judgeHead,
  LogChecker,
  LogMonitor,
  LogReader,
  newMonitorState,
  policyOfKey,
  readCosignedHead,
  relate,
  Transport,
} from '@signet/sdk/log';
import { createLooks } from '@signet/sdk/look';
import { readCheckpoint, readPolicy } from '@signet/verify/log';
import { addressOfKey, verifyChain } from '@signet/verify';
import { pageWallet } from '../../packages/sdk/test/support/page-wallet.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const avatar = alice.key.compressed;
const page = pageWallet(`0x${Buffer.from(alice.privateKey).toString('hex')}`);
const connection = { accounts: [addressOfKey(avatar)], chainId: 1, connector: { getProvider: async () => page } };
/** What `createConfig` of wagmi returns, connected to a wallet. */
const wagmiConfig = { state: { current: 'wallet', connections: new Map([['wallet', connection]]) } } as never;

let app: RunningApp;
let baseUrl: string;
beforeAll(async () => {
  app = await startApp();
  baseUrl = app.baseUrl;
  await linkWallet(app, alice, wallet);
});
afterAll(() => app?.close());

describe('@signet/sdk', () => {
  it('createClient', async () => {
    const client = createClient({ baseUrl, demand: { complete: true } });
    const person = await client.resolve(wallet.address);
    expect(person?.avatar).toBe(avatar);
    expect(person?.accounts[0]?.resting.identity).toBe('wallet');
  });

  it('fromWagmi', async () => {
    const signer = await fromWagmi(wagmiConfig);
    expect(signer.avatar).toBe(avatar);
  });

  it('identityOfLink', async () => {
    const links = await createClient({ baseUrl }).chain(avatar).toArray();
    const { links: checked } = verifyChain(links as never, { avatar });
    expect(identityOfLink(checked[0]!)).toBe('wallet');
  });

  it('MemoryHeadStore', async () => {
    const heads = new MemoryHeadStore();
    const client = createClient({ baseUrl, demand: { log: true }, log: { heads } });
    await client.proofs.of(avatar);
    expect(heads.get(baseUrl)).not.toBe(null);
  });

  it('MemoryReceiptStore', async () => {
    const client = createClient({ baseUrl, log: { receipts: new MemoryReceiptStore() } });
    const { broken } = await client.checkReceipts();
    expect(broken).toEqual([]);
  });
});

describe('@signet/sdk/look', () => {
  it('createLooks', async () => {
    const client = createClient({ baseUrl, looks: createLooks() });
    const { state } = await client.look({ avatar, platform: 'ethereum', identity: wallet.address });
    expect(state).toBe('seen');
  });
});

describe('@signet/sdk/log', () => {
  it('Transport', async () => {
    const transport = new Transport({ baseUrl, retries: 0 });
    const { origin } = await new LogReader(transport).info();
    expect(typeof origin).toBe('string');
  });

  it('LogReader', async () => {
    const reader = new LogReader(new Transport({ baseUrl }));
    const checkpoint = readCheckpoint(await reader.checkpoint());
    expect(checkpoint && checkpoint.size > 0).toBe(true);
  });

  it('LogChecker', async () => {
    const checker = new LogChecker(new Transport({ baseUrl }), { heads: new MemoryHeadStore() });
    const { value } = await checker.map({ avatar });
    expect(value).toMatchObject({ links: 1 });
  });

  it('CompleteReads', async () => {
    const client = createClient({ baseUrl });
    const reads = { linksOf: (key: string) => client.chain(key).toArray() };
    const complete = new CompleteReads(reads as never, new LogChecker(new Transport({ baseUrl }), {}));
    expect(await complete.keyCount(avatar, undefined)).toBe(0);
  });

  it('judgeHead', async () => {
    const reader = new LogReader(new Transport({ baseUrl }));
    const { verifier_key } = await reader.info();
    const head = judgeHead(await reader.checkpoint(), policyOfKey(verifier_key));
    expect(head.state).toBe('accepted');
  });

  it('policyOfKey', async () => {
    const { verifier_key } = await new LogReader(new Transport({ baseUrl })).info();
    expect(policyOfKey(verifier_key).logs.length).toBe(1);
    expect(policyOfKey('another text').logs).toEqual([]);
  });

  it('readCosignedHead', async () => {
    const reader = new LogReader(new Transport({ baseUrl }));
    const { verifier_key } = await reader.info();
    const head = await readCosignedHead(reader, readPolicy(`log ${verifier_key}\nquorum none\n`));
    expect(head).toBe(null);
  });

  it('relate', async () => {
    const reader = new LogReader(new Transport({ baseUrl }));
    const head = readCheckpoint(await reader.checkpoint())!;
    expect(await relate(head, head, reader)).toBe('one_history');
  });

  it('LogMonitor', async () => {
    const monitor = new LogMonitor({ baseUrl, once: true });
    for await (const event of monitor.follow()) {
      if (event.type === 'alarm') console.error(event.code);
    }
    expect(monitor.state.alarms).toBe(0);
  });

  it('newMonitorState', () => {
    const monitor = new LogMonitor({ baseUrl, once: true, state: newMonitorState() });
    expect(monitor.state.size).toBe(0);
  });
});
