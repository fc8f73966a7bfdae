/** Data items and bundles, binary (ANS-104, "Bundled Data v2.0"). Integers are little-endian. */
import { constants, createHash, createPublicKey, verify } from 'node:crypto';
import deepHashModule from 'arweave/node/lib/deepHash.js';
import type { SignedItem, Tag } from './archive-store.js';
import type { ArweaveWallet } from './arweave-wallet.js';

const deepHash = deepHashModule.default;

/** Signature type 1: RSA-PSS with 4096 bits and SHA-256, the kind of an Arweave wallet. */
const SIGNATURE_TYPE = 1;
const SIGNATURE_BYTES = 512;
const OWNER_BYTES = 512;
/** Neither target nor anchor is given: a zero byte for each. */
const ABSENT = 0;
/** Type, signature, owner, and the two presence bytes. */
const TAGS_START = 2 + SIGNATURE_BYTES + OWNER_BYTES + 2;
const NOTHING = new Uint8Array();

/** Everything of a data item but its data. `target` and `anchor` are empty where there is none. */
export interface DataItemHead {
  signature: Uint8Array;
  /** Modulus of the key that signed. */
  owner: Uint8Array;
  target: Uint8Array;
  anchor: Uint8Array;
  tags: Tag[];
}

/** Signs a document as a data item: its id is the SHA-256 of the signature, in base64url. */
export async function signDataItem(wallet: ArweaveWallet, document: string, tags: Tag[]): Promise<SignedItem> {
  const data = Buffer.from(document, 'utf8');
  const { owner } = wallet;
  const signature = await wallet.sign(await messageOf({ owner, target: NOTHING, anchor: NOTHING, tags }, data));
  const tagBytes = encodeTags(tags);
  const counts = Buffer.concat([integer(tags.length, 8), integer(tagBytes.length, 8)]);
  const head = [integer(SIGNATURE_TYPE, 2), signature, owner, Uint8Array.of(ABSENT, ABSENT), counts, tagBytes];
  return { id: idOfSignature(signature), bytes: Buffer.concat([...head, data]) };
}

/** Whether the owner signed exactly this data under these tags; for items of RSA wallets, which are ours. */
export async function isDataItemSigned(head: DataItemHead, data: Uint8Array): Promise<boolean> {
  if (head.owner.length !== OWNER_BYTES || head.signature.length !== SIGNATURE_BYTES) return false;
  const jwk = { kty: 'RSA', e: 'AQAB', n: Buffer.from(head.owner).toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify('sha256', await messageOf(head, data), { key, padding }, head.signature);
}

/** The document inside a data item that `signDataItem` made. */
export function documentOf({ bytes }: SignedItem): Uint8Array {
  const tagBytes = Number(Buffer.from(bytes).readBigUInt64LE(TAGS_START + 8));
  return bytes.subarray(TAGS_START + 16 + tagBytes);
}

/** The body of a transaction that carries data items: their number, size and id of each, and then the items. */
export function bundleOf(items: SignedItem[]): Uint8Array {
  const index = items.flatMap(({ id, bytes }) => [integer(bytes.length, 32), Buffer.from(id, 'base64url')]);
  return Buffer.concat([integer(items.length, 32), ...index, ...items.map(({ bytes }) => bytes)]);
}

/** SHA-256 of a signature in base64url: the id of data items and transactions. */
export function idOfSignature(signature: Uint8Array): string {
  return createHash('sha256').update(signature).digest('base64url');
}

/** What is signed (ANS-104, section 2): a deep hash over the fields and the tags as they are encoded. */
function messageOf({ owner, target, anchor, tags }: Omit<DataItemHead, 'signature'>, data: Uint8Array) {
  const words = ['dataitem', '1', String(SIGNATURE_TYPE)].map((word) => Buffer.from(word));
  return deepHash([...words, owner, target, anchor, encodeTags(tags), data]);
}

/**
 * An Avro array of records of two byte strings: count, then the fields each behind its length, then an empty block. No
 * tags are not bytes.
 */
function encodeTags(tags: Tag[]): Uint8Array {
  if (tags.length === 0) return NOTHING;
  const fields = tags.flatMap(({ name, value }) => [Buffer.from(name, 'utf8'), Buffer.from(value, 'utf8')]);
  return Buffer.concat([
    avroLong(tags.length),
    ...fields.flatMap((field) => [avroLong(field.length), field]),
    avroLong(0),
  ]);
}

/**
 * Avro writes a long in zigzag form, seven bits at a time with the lowest first; a length is never negative, so zigzag
 * is doubling.
 */
function avroLong(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

function integer(value: number, width: number): Uint8Array {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntLE(value, 0, Math.min(width, 6));
  return bytes;
}
