/** The usual mistakes of those who sign for the first time: the right key, but not over the text that was given. */
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { Secp256k1 } from '../keys/curves.js';
import { encodeHex, utf8 } from '../text/encoding.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { personalDigest } from './personal-sign.js';
import { recoverPublicKey } from './signature.js';

/** Each guess costs a hash of the text and a recovery, so long texts (patches) are left alone. */
const MAX_TEXT_BYTES = 4096;

/** Texts that are signed in place of `text`, each with its description as the object of "it was made over". */
export function mistakenTexts(text: string): [string, string][] {
  const quoted = JSON.stringify(text);
  return [
    [`${text}\n`, 'the text with a line break behind it'],
    [quoted, 'the text as a JSON string, in quotes and with backslashes'],
    [quoted.slice(1, -1), 'the text with a backslash before each quote'],
    [withSpaces(text), 'the JSON written anew with spaces behind commas and colons'],
    [indented(text), 'the JSON written anew over several lines'],
  ];
}

/**
 * What was signed by mistake, as the object of "it was made over"; null where no usual mistake explains the signature
 * (65 or 64 bytes). `isSigner` knows the compressed key (`0x` and hex) that should have signed.
 */
export function explainMistake(
  text: string,
  signature: Uint8Array,
  isSigner: (compressedKey: string) => boolean,
  secp256k1: Secp256k1 = nobleCurves.secp256k1,
): string | null {
  const bytes = utf8(text);
  if (bytes.length > MAX_TEXT_BYTES) return null;
  const hash = keccak_256(bytes);
  const digests: [Uint8Array, string][] = [
    ...mistakenTexts(text).map(([mistaken, what]): [Uint8Array, string] => [personalDigest(mistaken), what]),
    [hash, 'the bare hash of the text, without the prefix of personal_sign'],
    [personalDigestOf(hash), 'the hash of the text in place of the text'],
    [personalDigest(`0x${encodeHex(hash)}`), 'the hash of the text, written in hex'],
    [sha256(bytes), 'the SHA-256 of the text, without personal_sign'],
  ];
  const signedBy = (digest: Uint8Array, written: Uint8Array) => {
    const key = recoverPublicKey(digest, written, secp256k1);
    return key !== null && isSigner(`0x${encodeHex(key)}`);
  };
  const mistake = digests.find(([digest]) => signedBy(digest, signature));
  if (mistake) return mistake[1];
  return signedBy(personalDigest(text), withOtherParity(signature))
    ? 'the right text, but its recovery byte v (or the top bit of s in 64 bytes) is the wrong one'
    : null;
}

/** The digest of personal_sign over bytes that are not text. */
function personalDigestOf(bytes: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(utf8(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes));
}

/** As Python's `json.dumps` writes it. The first alternative jumps over whole JSON strings. */
function withSpaces(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) => (part === ':' || part === ',' ? `${part} ` : part));
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function withOtherParity(signature: Uint8Array): Uint8Array {
  const other = new Uint8Array(signature);
  if (other.length === 65)
    other[64]! ^= other[64]! >= 27 ? 7 : 1; // 27 is 11011, 28 is 11100
  else if (other.length === 64) other[32]! ^= 0x80;
  return other;
}
