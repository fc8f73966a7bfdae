/** The usual mistakes of those who sign for the first time: the right key, but not over the text that was given. */
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { WithCurves } from '../keys/curves.js';
import { encodeBase64, encodeHex, utf8 } from '../text/encoding.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { personalDigest } from './personal-sign.js';
import { recoverBy } from './signature.js';

/** Each guess costs a hash of the text and a recovery, so long texts (patches) are left alone. */
const MAX_TEXT_BYTES = 4096;
const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'];
const OTHER_SHA3 = 'the text hashed with SHA3-256, as NIST has it; personal_sign hashes with keccak-256';
const LENGTH_IN_CHARACTERS = 'the text with its length in characters; personal_sign counts bytes of UTF-8';

/** Texts that are signed in place of `text`, each with its description as the object of "it was made over". */
export function mistakenTexts(text: string): [string, string][] {
  const quoted = JSON.stringify(text);
  const hex = encodeHex(utf8(text));
  const escaped = withEscapes(text, /[\u007f-\uffff]/g);
  const guesses: [string, string][] = [
    [`${text}\n`, 'the text with a line break behind it'],
    [`${text}\r\n`, 'the text with a line break behind it'],
    [quoted, 'the text as a JSON string, in quotes and with backslashes'],
    [quoted.slice(1, -1), 'the text with a backslash before each quote'],
    [withSpaces(text), 'the JSON written anew with spaces behind commas and colons'],
    [indented(text), 'the JSON written anew over several lines'],
    [escaped, 'the JSON written anew with \\u escapes for letters beyond ASCII'],
    [withSpaces(escaped), 'the JSON written anew with \\u escapes, and with spaces behind commas and colons'],
    [withEscapes(text, /[<>&\u2028\u2029]/g), 'the JSON written anew with \\u escapes for <, > and &, as Go writes it'],
    ...FORMS.map((form): [string, string] => [
      text.normalize(form),
      `the text with its letters normalised to the Unicode form ${form}`,
    ]),
    [`0x${hex}`, 'the hex digits of the text, as a text'],
    [hex, 'the hex digits of the text, as a text'],
    [encodeBase64(utf8(text)), 'the Base64 of the text, as a text'],
  ];
  return guesses.filter(([mistaken]) => mistaken !== text);
}

/**
 * What was signed by mistake, as the object of "it was made over"; null where no usual mistake explains the signature
 * (65 or 64 bytes). `isSigner` knows the compressed key (`0x` and hex) that should have signed.
 */
export function explainMistake(
  text: string,
  signature: Uint8Array,
  isSigner: (compressedKey: string) => boolean,
  { curves = nobleCurves }: WithCurves = {},
): string | null {
  const bytes = utf8(text);
  if (bytes.length > MAX_TEXT_BYTES) return null;
  const hash = keccak_256(bytes);
  const digest = personalDigest(text);
  const digests: [Uint8Array, string][] = [
    ...mistakenTexts(text).map(([mistaken, what]): [Uint8Array, string] => [personalDigest(mistaken), what]),
    [hash, 'the bare hash of the text, without the prefix of personal_sign'],
    [personalDigestOf(hash), 'the hash of the text in place of the text'],
    [personalDigest(`0x${encodeHex(hash)}`), 'the hash of the text, written in hex'],
    [sha256(bytes), 'the SHA-256 of the text, without personal_sign'],
    [sha256(digest), 'the SHA-256 of the hash that personal_sign makes'],
    [sha3_256(withPrefix(bytes)), OTHER_SHA3],
    [sha3_256(bytes), OTHER_SHA3],
    ...[text.length, [...text].length]
      .filter((length) => length !== bytes.length)
      .map((length): [Uint8Array, string] => [personalDigestOf(bytes, length), LENGTH_IN_CHARACTERS]),
  ];
  const signedBy = (made: Uint8Array, written: Uint8Array) => {
    const key = recoverBy(made, written, curves.secp256k1);
    return key !== null && isSigner(`0x${encodeHex(key)}`);
  };
  const mistake = digests.find(([made]) => signedBy(made, signature));
  if (mistake) return mistake[1];
  return signedBy(digest, withOtherParity(signature))
    ? 'the right text, but its recovery byte v (or the top bit of s in 64 bytes) is the wrong one'
    : null;
}

/** The digest of personal_sign over bytes that are not text, or with a length that is not theirs. */
function personalDigestOf(bytes: Uint8Array, length = bytes.length): Uint8Array {
  return keccak_256(withPrefix(bytes, length));
}

function withPrefix(bytes: Uint8Array, length = bytes.length): Uint8Array {
  return concatBytes(utf8(`\x19Ethereum Signed Message:\n${length}`), bytes);
}

/** A JSON text with `\uXXXX` for each UTF-16 unit that matches: only texts in JSON hold such letters. */
function withEscapes(json: string, letters: RegExp): string {
  return json.replace(letters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
