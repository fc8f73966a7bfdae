/** Data items and bundles, binary (ANS-104, "Bundled Data v2.0"). Integers are little-endian. */
import { createHash } from 'node:crypto';
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

/** Signs a document as a data item: its id is the SHA-256 of the signature, in base64url. */
export async function signDataItem(wallet: ArweaveWallet, document: string, tags: Tag[]): Promise<SignedItem> {
  const data = Buffer.from(document, 'utf8');
  const tagBytes = encodeTags(tags);
  const message = await deepHash([
    Buffer.from('dataitem'),
    Buffer.from('1'),
    Buffer.from(String(SIGNATURE_TYPE)),
    wallet.owner,
    NOTHING,
    NOTHING,
    tagBytes,
    data,
  ]);
  const signature = await wallet.sign(message);
  const counts = Buffer.concat([integer(tags.length, 8), integer(tagBytes.length, 8)]);
  const head = [integer(SIGNATURE_TYPE, 2), signature, wallet.owner, Uint8Array.of(ABSENT, ABSENT), counts, tagBytes];
  return { id: idOfSignature(signature), bytes: Buffer.concat([...head, data]) };
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

/** An Avro array of records of two byte strings: count, then the fields each behind its length, then an empty block. */
function encodeTags(tags: Tag[]): Uint8Array {
  const fields = tags.flatMap(({ name, value }) => [Buffer.from(name, 'utf8'), Buffer.from(value, 'utf8')]);
  return Buffer.concat([
    avroLong(tags.length),
    ...fields.flatMap((field) => [avroLong(field.length), field]),
    avroLong(0),
  ]);
}

/** Avro writes a long in zigzag form, seven bits at a time with the lowest first; a length is never negative, so zigzag is doubling. */
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
