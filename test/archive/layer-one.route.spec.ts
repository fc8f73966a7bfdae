import type { SignedDocument } from '../../src/archive/archive-store.js';
import { ArweaveGateway } from '../../src/archive/arweave/arweave-gateway.js';
import { ArweaveWallet } from '../../src/archive/arweave/arweave-wallet.js';
import { signDataItem } from '../../src/archive/arweave/data-item.js';
import { LayerOneRoute } from '../../src/archive/arweave/layer-one.route.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { jsonReply } from '../../packages/look/test/support/stand-in-server.js';
import { ArweaveStandIn } from './arweave-stand-in.js';

const wallet = ArweaveWallet.load(new URL('test-wallet.json', import.meta.url).pathname);
const web = new WebClient(loadEnvironment({}));
const KIB = 1024;

let network: ArweaveStandIn;
let route: LayerOneRoute;

/** Signed items whose documents have these lengths. */
const itemsOf = (lengths: number[]) =>
  Promise.all(lengths.map((length, index) => signDataItem(wallet, String(index).repeat(length), [])));

const sendAll = async (items: SignedDocument[], parcel: string): Promise<string[]> => {
  const accepted: string[] = [];
  await route.send(items, parcel, async (ids) => void accepted.push(...ids));
  return accepted;
};

beforeEach(async () => {
  network = await ArweaveStandIn.start();
  route = new LayerOneRoute(new ArweaveGateway(web, network.gateway.baseUrl), wallet);
});
afterEach(() => network.close());
afterAll(() => web.stop());

describe('a transaction of the wallet', () => {
  it.each([
    ['a single short document', [10], 0],
    ['data just below one chunk', [254 * KIB], 0],
    ['data of several chunks', [200 * KIB, 200 * KIB, 300 * KIB], 3],
    ['data whose last chunk would be too small', [256 * KIB], 2],
    ['data of exactly two chunks', [512 * KIB - 1140], 2],
  ])('carries %s', async (_what, lengths, chunks) => {
    const items = await itemsOf(lengths);

    const transaction = await route.pack(items);
    const accepted = await sendAll(items, transaction);

    expect(accepted).toEqual(items.map(({ id }) => id));
    expect([...network.items.keys()]).toEqual(accepted);
    expect([...network.transactions.values()].map((transaction) => transaction.chunks.size)).toEqual([chunks]);
    expect(network.complaints).toEqual([]);
    expect(await route.status(transaction)).toBe('confirmed');
  });

  it('is the same one when it is sent again', async () => {
    const items = await itemsOf([10, 20]);
    const transaction = await route.pack(items);

    await sendAll(items, transaction);
    await sendAll([...items].reverse(), transaction);

    expect(network.transactions.size).toBe(1);
    expect(new Set(network.timesTaken.values())).toEqual(new Set([1]));
  });

  it('goes on where a chunk was not taken', async () => {
    const items = await itemsOf([300 * KIB, 300 * KIB]);
    const transaction = await route.pack(items);
    let chunks = 0;
    network.gatewayFault = ({ path }) =>
      path === '/chunk' && (chunks += 1) === 2 ? jsonReply({ error: 'disk_full' }, 400) : null;

    await expect(sendAll(items, transaction)).rejects.toThrow('The gateway answered 400 to a chunk.');
    const status = await route.status(transaction);
    const accepted = await sendAll(items, transaction);

    expect(status).toBe('unknown');
    expect(accepted).toEqual([...network.items.keys()]);
    expect(network.transactions.size).toBe(1);
    expect(network.complaints).toEqual([]);
  });

  it('counts as taken where a node refuses what it has already', async () => {
    const items = await itemsOf([10]);
    const transaction = await route.pack(items);
    await sendAll(items, transaction);
    network.gatewayFault = ({ method }) => (method === 'POST' ? jsonReply({ error: 'already there' }, 400) : null);

    expect(await sendAll(items, transaction)).toEqual([items[0]!.id]);
  });

  it('is refused once its anchor is too old', async () => {
    const items = await itemsOf([10]);
    const transaction = await route.pack(items);
    network.letAnchorsAge();

    await expect(sendAll(items, transaction)).rejects.toThrow('The gateway answered 400.');
    expect(await route.status(transaction)).toBe('unknown');
  });
});
