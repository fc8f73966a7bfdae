/**
 * Data items of permanent storage (ANS-104, "Bundled Data v2.0"): what is signed, and whether what a gateway serves
 * under an id is what was signed. https://github.com/ArweaveTeam/arweave-standards/blob/master/ans/ANS-104.md
 */
import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { base64urlnopad } from '@scure/base';
import { utf8 } from '../text/encoding.js';
import { checked, failed, notCheckable, type Step, verificationOf, type Verification } from '../steps.js';

/** A name and a value, both text. */
export interface DataItemTag {
  name: string;
  value: string;
}

/** What the owner of a data item signs, its data aside. `target` and `anchor` are empty where there is none. */
export interface DataItemFields {
  /** Modulus of the key that signed. */
  owner: Uint8Array;
  target: Uint8Array;
  anchor: Uint8Array;
  tags: DataItemTag[];
}

/** Everything of a data item but its data. */
export interface DataItemHead extends DataItemFields {
  signature: Uint8Array;
}

/** What a gateway says of a data item (GraphQL `transaction`); all of it may be anything. */
export interface ReportedDataItem {
  signature?: unknown;
  anchor?: unknown;
  recipient?: unknown;
  owner?: { key?: unknown } | null;
  tags?: unknown;
}

/** Signature type 1: RSA-PSS with 4096 bits and SHA-256, the kind of an Arweave wallet. */
export const DATA_ITEM_SIGNATURE_TYPE = 1;
/** Bytes of an owner and of a signature of type 1. */
export const DATA_ITEM_KEY_BYTES = 512;

const HASH_BYTES = 32;
/**
 * Bytes of salt that wallets use: as many as fit (OpenSSL), 32, or none. WebCrypto does not find out by itself, and
 * arweave-js tries the same.
 */
const SALT_LENGTHS = [DATA_ITEM_KEY_BYTES - HASH_BYTES - 2, HASH_BYTES, 0];
const NOTHING = new Uint8Array();

/** The id of data items and transactions: SHA-256 of the signature in base64url without padding, 43 characters. */
export function dataItemId(signature: Uint8Array): string {
  return base64urlnopad.encode(sha256(signature));
}

/** The 48 bytes that are signed (ANS-104, section 2): a deep hash over fields, encoded tags and data. */
export function dataItemMessage({ owner, target, anchor, tags }: DataItemFields, data: Uint8Array): Uint8Array {
  const words = ['dataitem', '1', String(DATA_ITEM_SIGNATURE_TYPE)].map(utf8);
  return deepHash([...words, owner, target, anchor, encodeDataItemTags(tags), data]);
}

/**
 * An Avro array of records of two byte strings: count, then the fields each behind its length, then an empty block. No
 * tags are not bytes.
 */
export function encodeDataItemTags(tags: DataItemTag[]): Uint8Array {
  if (tags.length === 0) return NOTHING;
  const fields = tags.flatMap(({ name, value }) => [utf8(name), utf8(value)]);
  return joined([avroLong(tags.length), ...fields.flatMap((field) => [avroLong(field.length), field]), avroLong(0)]);
}

/**
 * Whether the owner signed exactly this data under these tags; for items of RSA wallets of 4096 bits. False for what is
 * not such an item.
 * @throws Error where WebCrypto is missing (a page that came over plain http)
 */
export async function isDataItemSigned(head: DataItemHead, data: Uint8Array): Promise<boolean> {
  if (head.owner.length !== DATA_ITEM_KEY_BYTES || head.signature.length !== DATA_ITEM_KEY_BYTES) return false;
  const jwk = { kty: 'RSA', e: 'AQAB', n: base64urlnopad.encode(head.owner), ext: true };
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const message = dataItemMessage(head, data) as Uint8Array<ArrayBuffer>;
  const signature = head.signature as Uint8Array<ArrayBuffer>;
  for (const saltLength of SALT_LENGTHS) {
    if (await crypto.subtle.verify({ name: 'RSA-PSS', saltLength }, key, signature, message)) return true;
  }
  return false;
}

/**
 * Whether what a gateway served under an id is what was signed. An id is the hash of a signature over everything, so a
 * gateway that names the signature can be held to it; `reported` is null where it named none. One step, `data_item`:
 * "not checkable" where the signature behind the id is not known. Never throws, whatever it is given.
 */
export async function verifyDataItem(
  id: string,
  data: Uint8Array,
  reported: ReportedDataItem | null,
): Promise<Verification> {
  return checkDataItem(id, data, reported)
    .catch(() => failed('data_item', 'It cannot be read: bytes, and what a gateway says of them, were expected.'))
    .then((step) => verificationOf([step]));
}

async function checkDataItem(id: string, data: Uint8Array, reported: ReportedDataItem | null): Promise<Step> {
  const signature = bytesOf(reported?.signature);
  if (!reported || dataItemId(signature) !== id) {
    return notCheckable(
      'data_item',
      'The gateway does not tell the signature behind the id, so the fields that the Avatar did not sign rest on its word.',
    );
  }
  const { owner, recipient, anchor, tags } = reported;
  const head = {
    signature,
    owner: bytesOf(owner?.key),
    target: bytesOf(recipient),
    anchor: bytesOf(anchor),
    tags: isTags(tags) ? tags : [],
  };
  if (typeof crypto === 'undefined' || !crypto.subtle) {
    return notCheckable('data_item', 'This browser checks RSA signatures on pages that came over https only.');
  }
  const bad = 'What the gateway serves is not what was signed under this id.';
  return isDataItemSigned(head, data).then(
    (isSigned) => checked('data_item', isSigned, 'What the gateway serves was signed under this id.', bad),
    () => failed('data_item', bad),
  );
}

/** The bytes of base64url text; none for anything else. */
function bytesOf(text: unknown): Uint8Array {
  if (typeof text !== 'string') return NOTHING;
  try {
    return base64urlnopad.decode(text.replace(/=+$/, ''));
  } catch {
    return NOTHING;
  }
}

function isTags(value: unknown): value is DataItemTag[] {
  const isTag = (tag: Partial<DataItemTag> | null) => typeof tag?.name === 'string' && typeof tag.value === 'string';
  return Array.isArray(value) && value.every(isTag);
}

/** The deep hash of a list of byte strings (ANS-104 and the Arweave yellow paper): SHA-384 all the way down. */
function deepHash(parts: Uint8Array[]): Uint8Array {
  const hashOfPart = (part: Uint8Array) => sha384(joined([sha384(utf8(`blob${part.length}`)), sha384(part)]));
  return parts.reduce((hash, part) => sha384(joined([hash, hashOfPart(part)])), sha384(utf8(`list${parts.length}`)));
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

function joined(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
