/**
 * What an implementation that is not ours says of data items and bundles (`@dha-team/arbundles`) and of transactions,
 * data roots and chunks (`arweave`, whose verifying half the service does not use). Loaded as CommonJS, as both
 * packages are published.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// The entry of the package asks for a package that it does not name among its dependencies, so its parts are taken one
// by one.
const CJS = '@dha-team/arbundles/build/node/cjs/src';
const { DataItem } = require(`${CJS}/DataItem`) as typeof import('@dha-team/arbundles');
const { unbundleData } = require(`${CJS}/ar-data-bundle`) as typeof import('@dha-team/arbundles');
const Arweave = require('arweave') as typeof import('arweave');
const merkle = require('arweave/node/lib/merkle.js') as typeof import('arweave/node/lib/merkle.js');
const Transaction = (require('arweave/node/lib/transaction.js') as typeof import('arweave/node/lib/transaction.js'))
  .default;

const arweave = Arweave.init({});

/** A data item as the other implementation reads it. */
export interface ReadItem {
  id: string;
  /** Base64url of the modulus. */
  owner: string;
  signature: string;
  tags: { name: string; value: string }[];
  data: Buffer;
}

/** A transaction as it came over the wire. */
export interface WireTransaction {
  id: string;
  last_tx: string;
  tags: { name: string; value: string }[];
  data: string;
  data_size: string;
  data_root: string;
}

/** @throws Error that says what is wrong with the bytes */
export async function readDataItem(bytes: Buffer): Promise<ReadItem> {
  if (!(await DataItem.verify(bytes))) throw new Error('not a valid data item');
  return toItem(new DataItem(bytes));
}

/** @throws Error that says what is wrong with the bytes */
export async function readBundle(bytes: Buffer): Promise<ReadItem[]> {
  const bundle = unbundleData(bytes);
  if (!(await bundle.verify())) throw new Error('not a valid bundle');
  const items = bundle.items.map(toItem);
  if (bundle.getIds().join() !== items.map(({ id }) => id).join()) throw new Error('the index names other items');
  return items;
}

/** Checks id and signature, and, where the data came along, its size and root. @throws Error that says what is wrong */
export async function checkTransaction(json: WireTransaction, data: Buffer | null): Promise<void> {
  const transaction = new Transaction(json as never);
  if (!(await arweave.transactions.verify(transaction))) throw new Error('the transaction is not signed by its owner');
  if (data === null) return;
  if (String(data.length) !== json.data_size) throw new Error(`data_size is ${json.data_size}, not ${data.length}`);
  const root = arweave.utils.bufferTob64Url(await merkle.computeRootHash(data));
  if (root !== json.data_root) throw new Error('data_root is not the root of the data');
}

/** Where a chunk belongs in the data. @throws Error if its path does not lead from it to the root */
export async function placeOfChunk(chunk: Record<string, string>): Promise<{ start: number; bytes: Buffer }> {
  const decode = (text: string) => arweave.utils.b64UrlToBuffer(text);
  const size = Number(chunk.data_size);
  const path = decode(chunk.data_path!);
  const range = await merkle.validatePath(decode(chunk.data_root!), Number(chunk.offset), 0, size, path);
  const bytes = Buffer.from(decode(chunk.chunk!));
  if (!range || range.chunkSize !== bytes.length) throw new Error('the path of the chunk does not lead to its root');
  const hash = await arweave.crypto.hash(bytes);
  const named = path.subarray(path.length - 64, path.length - 32);
  if (Buffer.compare(hash, named) !== 0) throw new Error('the path belongs to another chunk');
  return { start: range.leftBound, bytes };
}

function toItem(item: InstanceType<typeof DataItem>): ReadItem {
  return { id: item.id, owner: item.owner, signature: item.signature, tags: item.tags, data: item.rawData };
}
