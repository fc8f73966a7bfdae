/**
 * One record of a repository, or its absence, by a CAR file of `com.atproto.sync.getRecord`: the commit that the server
 * of the account signed, the path in the tree, the record (AT Protocol, Repository and Sync).
 */
import * as CAR from '@atcute/car';
import * as CBOR from '@atcute/cbor';
import * as CID from '@atcute/cid';
import { verifySig } from '@atcute/crypto';
import { MemoryBlockStore, NodeStore, NodeWalker } from '@atcute/mst';
import { isObject } from '../text/signed-text.js';
import { AtprotoError } from './atproto-error.js';
import { readDidKey } from './plc-operations.js';

/** What a CAR file of one record may take, in bytes. */
export const MAX_CAR_BYTES = 64 * 1024;

/** Where a record stands. */
export interface RecordPlace {
  did: string;
  /** An NSID, such as `app.bsky.feed.post`. */
  collection: string;
  rkey: string;
}

/** A commit and what stands at one place in its tree. */
export interface CommittedRecord {
  /** The DID that the commit names. */
  did: string;
  /** The revision, a TID: it grows with each commit. */
  rev: string;
  /** UNIX seconds that the revision names, by the clock of the account's server. */
  committedAt: number;
  /** The CID of the record; null where the tree has none at that place. */
  cid: string | null;
  /** The record, as JSON has it: links are `{ $link }`, bytes `{ $bytes }`. Null where there is none. */
  value: unknown;
  /** Whether a key, `did:key:…`, signed the commit. @throws AtprotoError if it is no such key */
  isSignedBy(key: string): Promise<boolean>;
}

interface Commit {
  version: 3;
  did: string;
  data: { $link: string };
  rev: string;
  prev: { $link: string } | null;
  sig: CBOR.Bytes;
}

const TID = /^[2-7a-j][2-7a-z]{12}$/;
const TID_DIGITS = '234567abcdefghijklmnopqrstuvwxyz';

/**
 * Reads the file. Each block is compared with its hash; the signature is not checked here.
 * @throws AtprotoError where the file does not show what stands at the place
 */
export async function readCommittedRecord(
  car: Uint8Array,
  { collection, rkey }: RecordPlace,
): Promise<CommittedRecord> {
  if (car.length > MAX_CAR_BYTES) throw new AtprotoError(`The file has more than ${MAX_CAR_BYTES} bytes.`);
  const { root, blocks } = await readBlocks(car);
  const commit: unknown = CBOR.decode(blockOf(blocks, root, 'commit'));
  if (!isCommit(commit)) throw new AtprotoError('The file does not begin with a commit.');
  const { did, rev, sig, ...rest } = commit;
  const store = new NodeStore(new MemoryBlockStore(blocks));
  const tree = await NodeWalker.create(store, commit.data.$link);
  const cid = (await tree.findRpath(`${collection}/${rkey}`))?.$link ?? null;
  const value: unknown = cid === null ? null : CBOR.decode(blockOf(blocks, cid, 'record'));
  const unsigned = CBOR.encode({ ...rest, did, rev });
  const signature = CBOR.fromBytes(sig).slice();
  const isSignedBy = (key: string) => verifySig(readDidKey(key), signature, unsigned);
  return { did, rev, committedAt: timeOf(rev), cid, value: asJson(value), isSignedBy };
}

/** The blocks by their CID, each hashed, and the CID of the first. */
async function readBlocks(car: Uint8Array): Promise<{ root: string; blocks: Map<string, Uint8Array<ArrayBuffer>> }> {
  const reader = CAR.fromUint8Array(car);
  const blocks = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const { cid, bytes } of reader) {
    const block = bytes.slice();
    const hashed = await CID.create(cid.codec as typeof CID.CODEC_DCBOR, block);
    if (!CID.equals(hashed, cid)) throw new AtprotoError('A block is not the one that its CID names.');
    blocks.set(CID.toString(cid), block);
  }
  const [root] = reader.roots;
  if (!root) throw new AtprotoError('The file names no commit.');
  return { root: root.$link, blocks };
}

function blockOf(blocks: Map<string, Uint8Array<ArrayBuffer>>, cid: string, name: string): Uint8Array<ArrayBuffer> {
  const block = blocks.get(cid);
  if (block) return block;
  throw new AtprotoError(`The ${name} is not in the file.`);
}

function isCommit(value: unknown): value is Commit {
  return (
    isObject(value) &&
    value['version'] === 3 &&
    typeof value['did'] === 'string' &&
    CID.isCidLink(value['data']) &&
    typeof value['rev'] === 'string' &&
    TID.test(value['rev']) &&
    (value['prev'] === null || CID.isCidLink(value['prev'])) &&
    CBOR.isBytes(value['sig'])
  );
}

/** UNIX seconds of a TID: 53 bits of microseconds, and 10 bits that tell clocks apart. */
function timeOf(rev: string): number {
  const number = [...rev].reduce((sum, digit) => sum * 32n + BigInt(TID_DIGITS.indexOf(digit)), 0n);
  return Number((number >> 10n) / 1_000_000n);
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
