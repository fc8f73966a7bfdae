/**
 * Data items and bundles as they are sent, binary (ANS-104, "Bundled Data v2.0"). Integers are little-endian. What is
 * signed, and how it is checked, stands in `@signet/verify/data-item`.
 */
import {
  DATA_ITEM_KEY_BYTES,
  DATA_ITEM_SIGNATURE_TYPE,
  dataItemId,
  dataItemMessage,
  encodeDataItemTags,
} from '@signet/verify/internal/signatures';
import type { SignedDocument, Tag } from '../archive-store.js';
import type { ArweaveWallet } from './arweave-wallet.js';

/** Neither target nor anchor is given: a zero byte for each. */
const ABSENT = 0;
/** Type, signature, owner, and the two presence bytes. */
const TAGS_START = 2 + DATA_ITEM_KEY_BYTES + DATA_ITEM_KEY_BYTES + 2;
const NOTHING = new Uint8Array();

/** Signs a document as a data item: its id is the SHA-256 of the signature, in base64url. */
export async function signDataItem(wallet: ArweaveWallet, document: string, tags: Tag[]): Promise<SignedDocument> {
  const data = Buffer.from(document, 'utf8');
  const { owner } = wallet;
  const signature = await wallet.sign(dataItemMessage({ owner, target: NOTHING, anchor: NOTHING, tags }, data));
  const tagBytes = encodeDataItemTags(tags);
  const counts = Buffer.concat([integer(tags.length, 8), integer(tagBytes.length, 8)]);
  const head = [
    integer(DATA_ITEM_SIGNATURE_TYPE, 2),
    signature,
    owner,
    Uint8Array.of(ABSENT, ABSENT),
    counts,
    tagBytes,
  ];
  return { id: dataItemId(signature), bytes: Buffer.concat([...head, data]) };
}

/** The document inside a data item that `signDataItem` made. */
export function documentOf({ bytes }: SignedDocument): Uint8Array {
  const tagBytes = Number(Buffer.from(bytes).readBigUInt64LE(TAGS_START + 8));
  return bytes.subarray(TAGS_START + 16 + tagBytes);
}

/** The body of a transaction that carries data items: their number, size and id of each, and then the items. */
export function bundleOf(items: SignedDocument[]): Uint8Array {
  const index = items.flatMap(({ id, bytes }) => [integer(bytes.length, 32), Buffer.from(id, 'base64url')]);
  return Buffer.concat([integer(items.length, 32), ...index, ...items.map(({ bytes }) => bytes)]);
}

function integer(value: number, width: number): Uint8Array {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntLE(value, 0, Math.min(width, 6));
  return bytes;
}
