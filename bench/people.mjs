/**
 * The people of the benchmark. A number always gives the same keys, names and content, so that cases know the database
 * without reading it. Signatures are real (libsecp256k1), made over the texts that the service builds.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { personalDigest } from '@signet/verify';

const secp256k1 = createRequire(import.meta.url)('secp256k1');

/**
 * Words that GitHub names are made of; `crypto` and `cryptotrader` are the frequent terms of the ambiguous lookups.
 */
const FIRST = 'ann ben caro dana emil fritz gwen hugo iris jonas kim lena milo nora otto paula'.split(' ');
const LAST =
  'smith jones meyer rossi tanaka silva novak kumar olsen dubois garcia ivanov weber crypto cryptotrader haas'.split(
    ' ',
  );
/** Every RARE_EVERY-th person has a name with a part that is in no other name: the rare terms. */
const RARE_EVERY = 20_000;
export const RARE_NAME = 'qzxjvkwyqgpb';
export const FREQUENT_NAME = 'cryptotrader';

/**
 * 32 bytes.
 * @param {string} name
 */
export function secret(name) {
  return createHash('sha256').update(`signet benchmark ${name}`).digest();
}

/**
 * A key pair; `avatar` is compressed hex with `0x`.
 * @param {string | number} name
 */
export function person(name) {
  const privateKey = secret(`avatar ${name}`);
  const publicKey = secp256k1.publicKeyCreate(privateKey, true);
  return { privateKey, publicKey, avatar: `0x${Buffer.from(publicKey).toString('hex')}` };
}

/**
 * `0x` and 130 hex digits.
 * @param {{ publicKey: Uint8Array }} person
 */
export function uncompressed({ publicKey }) {
  return `0x${Buffer.from(secp256k1.publicKeyConvert(publicKey, false)).toString('hex')}`;
}

/**
 * An Ethereum wallet; `address` is lowercase.
 * @param {string | number} name
 */
export function wallet(name) {
  const privateKey = secret(`wallet ${name}`);
  const point = secp256k1.publicKeyCreate(privateKey, false).subarray(1);
  return { privateKey, address: `0x${Buffer.from(keccak_256(point).subarray(12)).toString('hex')}` };
}

/**
 * personal_sign: Base64 of r, s and v.
 * @param {{ privateKey: Uint8Array }} key
 * @param {string} text
 */
export function sign({ privateKey }, text) {
  const { signature, recid } = secp256k1.ecdsaSign(personalDigest(text), privateKey);
  const bytes = Buffer.alloc(65, signature);
  bytes[64] = 27 + recid;
  return bytes.toString('base64');
}

/**
 * The names of person `index` on GitHub (with a hyphen) and on X (with an underscore, at most 15 characters).
 * @param {number} index
 */
export function handles(index) {
  const [first, last] = secret(`handle ${index}`);
  const number = index.toString(36);
  const name = `${FIRST[first % FIRST.length]}-${LAST[last % LAST.length]}`;
  return {
    github: `${index % RARE_EVERY === 7 ? RARE_NAME : name}${number}`,
    twitter: `${FIRST[last % FIRST.length]}_${number}`,
  };
}

/**
 * A uuid of version 4 that depends on `name` alone.
 * @param {string} name
 */
export function uuid(name) {
  const hex = secret(`uuid ${name}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Key-value content of some 250 bytes.
 * @param {number} index
 */
export function smallContent(index) {
  return {
    name: `Person ${index}`,
    bio: 'Likes signed things, long walks and short proofs.',
    links: [`https://example.com/${index}`, 'https://example.org'],
    theme: { dark: index % 2 === 0, accent: '#2a6f97' },
  };
}
