/**
 * Private keys in files that are encrypted with a pass phrase: Web3 Secret Storage, version 3, as wallets, Geth and
 * Foundry write it. https://ethereum.org/en/developers/docs/data-structures-and-encoding/web3-secret-storage/
 * The member `signet` is ours, and others ignore it: the public key, so that it can be shown without the pass phrase.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { SignetError } from '../errors/errors.js';
import { findAvatarKey } from '../keys/avatar-key.js';
import { addressOfKey } from '../keys/ethereum-address.js';
import { decodeHex, encodeHex, utf8 } from '../text/encoding.js';
import { isObject, parseObject } from '../text/signed-text.js';
import { withoutMark } from './text-file.js';

/** More memory than that (128 * n * r bytes) is not a key file of a wallet but an attempt to fill the memory. */
const MAX_SCRYPT_BYTES = 1 << 30;
const MAX_SCRYPT_BLOCKS = 64;
/** Rounds of PBKDF2; key files have some 10,000 to 1,000,000. */
const MAX_ROUNDS = 10_000_000;

/** Why a key file cannot be opened. */
export type KeyFileProblem = 'not_a_key_file' | 'other_key_file' | 'wrong_passphrase' | 'other_key';

/** A key file cannot be used. The message is one sentence that quotes no secret; `code` is a `KeyFileProblem`. */
export class KeyFileError extends SignetError {
  override name = 'KeyFileError';

  constructor(
    code: KeyFileProblem,
    message: string,
    /** Of `other_key_file`: what is not read here, such as `version 1`; else `''`. */
    readonly kind = '',
  ) {
    super(message, code);
  }
}

/** What a key file says of itself without its pass phrase. */
export interface KeyFileNames {
  /** Compressed key; null in files of other programs. */
  avatar: string | null;
  /** Lowercase Ethereum address with `0x`; null where the file does not name it, as those of Foundry. */
  address: string | null;
}

type Kdf = { name: 'scrypt'; n: number; r: number; p: number } | { name: 'pbkdf2'; rounds: number };

interface KeyFile extends KeyFileNames {
  kdf: Kdf;
  salt: Uint8Array;
  iv: Uint8Array;
  ciphertext: Uint8Array;
  /** What `macOf` answers for the right pass phrase. */
  mac: string;
}

/** Whether a text could be a key file, and not a key or words. */
export function looksLikeKeyFile(text: string): boolean {
  return withoutMark(text).trimStart().startsWith('{');
}

/** What a key file says of itself. @throws KeyFileError (`not_a_key_file`, `other_key_file`) */
export function describeKeyFile(text: string): KeyFileNames {
  const { avatar, address } = parse(text);
  return { avatar, address };
}

/**
 * The private key of 32 bytes in the text of a key file. Takes a second or more, by design.
 * @throws KeyFileError
 */
export async function openKeyFile(text: string, passphrase: string): Promise<Uint8Array> {
  const file = parse(text);
  // Programs differ in whether they bring the letters of a pass phrase into one form (NFKC) first.
  for (const spelling of new Set([passphrase.normalize('NFKC'), passphrase])) {
    const derived = await derive(spelling, file);
    if (macOf(derived, file.ciphertext) !== file.mac) continue;
    return checkedKey(await counterMode('decrypt', derived, file.iv, file.ciphertext), file);
  }
  throw new KeyFileError('wrong_passphrase', 'The pass phrase is not that of the key file.');
}

async function derive(passphrase: string, { kdf, salt }: KeyFile): Promise<Uint8Array> {
  if (kdf.name === 'scrypt') {
    // Not Node's own, which refuses files of wallets that chose r = 1 and a large N, as the specification does.
    const maxmem = MAX_SCRYPT_BYTES + (1 << 20);
    return scryptAsync(passphrase, salt, { N: kdf.n, r: kdf.r, p: kdf.p, dkLen: 32, maxmem });
  }
  const key = await crypto.subtle.importKey('raw', owned(utf8(passphrase)), 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: owned(salt), iterations: kdf.rounds };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256));
}

/** keccak-256 of the second half of a derived key and the ciphertext, hex. */
export function macOf(derived: Uint8Array, ciphertext: Uint8Array): string {
  return encodeHex(keccak_256(concatBytes(derived.subarray(16, 32), ciphertext)));
}

/** AES-128 in counter mode, under the first half of a derived key. */
export async function counterMode(
  what: 'encrypt' | 'decrypt',
  derived: Uint8Array,
  iv: Uint8Array,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', owned(derived.subarray(0, 16)), 'AES-CTR', false, [what]);
  return new Uint8Array(
    await crypto.subtle[what]({ name: 'AES-CTR', counter: owned(iv), length: 128 }, key, owned(bytes)),
  );
}

/** Bytes of their own buffer, which is what the types of Web Crypto ask for. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function checkedKey(privateKey: Uint8Array, { avatar, address }: KeyFile): Uint8Array {
  const own = publicNames(privateKey);
  if ((avatar === null || avatar === own.avatar) && (address === null || address === own.address)) return privateKey;
  throw new KeyFileError('other_key', 'The key file names another public key or address than those of its key.');
}

/** The public names of a private key. @throws KeyFileError (`not_a_key_file`) for bytes that are none */
export function publicNames(privateKey: Uint8Array): { avatar: string; address: string } {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) throw notAKeyFile('its key is none of secp256k1');
  const avatar = `0x${encodeHex(secp256k1.getPublicKey(privateKey))}`;
  return { avatar, address: addressOfKey(avatar) };
}

function parse(text: string): KeyFile {
  const file = parseObject(withoutMark(text));
  if (!file) throw notAKeyFile('it is not a JSON object');
  // Some programs write the name with a capital letter.
  const parts = file['crypto'] ?? file['Crypto'];
  if (!isObject(parts)) throw notAKeyFile('it has no member "crypto"');
  // Some programs write the version as a text.
  if (Number(file['version']) !== 3) throw otherKind(`version ${shown(file['version'])}`);
  if (parts['cipher'] !== 'aes-128-ctr') throw otherKind(`cipher ${shown(parts['cipher'])}`);
  const { cipherparams, kdfparams } = parts;
  if (!isObject(cipherparams) || !isObject(kdfparams)) throw notAKeyFile('it lacks parameters');
  const iv = bytesIn(cipherparams['iv'], 'iv');
  if (iv.length !== 16) throw notAKeyFile('its "iv" is not 16 bytes');
  return {
    avatar: avatarIn(file['signet']),
    address: addressIn(file['address']),
    kdf: kdfIn(parts['kdf'], kdfparams),
    salt: bytesIn(kdfparams['salt'], 'salt'),
    iv,
    ciphertext: bytesIn(parts['ciphertext'], 'ciphertext'),
    mac: encodeHex(bytesIn(parts['mac'], 'mac')),
  };
}

function kdfIn(name: unknown, { n, r, p, c, prf, dklen }: Record<string, unknown>): Kdf {
  if (dklen !== 32) throw otherKind(`dklen ${shown(dklen)}`);
  if (name === 'scrypt') {
    if (![n, r, p].every(isCount)) throw notAKeyFile('its scrypt has parameters that are no numbers');
    const kdf = { name, n: n as number, r: r as number, p: p as number } as const;
    const bytes = 128 * kdf.n * kdf.r;
    if ((kdf.n & (kdf.n - 1)) !== 0 || kdf.n < 2) throw notAKeyFile('the n of its scrypt is no power of 2');
    if (bytes > MAX_SCRYPT_BYTES) throw otherKind(`scrypt with ${Math.ceil(bytes / (1 << 20))} MiB of memory`);
    if (kdf.p > MAX_SCRYPT_BLOCKS) throw otherKind(`scrypt with p ${kdf.p}`);
    return kdf;
  }
  if (name === 'pbkdf2') {
    if (prf !== 'hmac-sha256') throw otherKind(`PBKDF2 with ${shown(prf)}`);
    if (!isCount(c)) throw notAKeyFile('its PBKDF2 has no number of rounds');
    if (c > MAX_ROUNDS) throw otherKind(`PBKDF2 with ${c} rounds`);
    return { name, rounds: c };
  }
  throw otherKind(`kdf ${shown(name)}`);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function avatarIn(named: unknown): string | null {
  const avatar = isObject(named) ? named['avatar'] : undefined;
  if (avatar === undefined) return null;
  const key = typeof avatar === 'string' ? findAvatarKey(avatar) : null;
  if (!key) throw notAKeyFile('its "signet.avatar" is no public key');
  return key.compressed;
}

/** Files of Foundry name none, and some programs write an empty one. */
function addressIn(named: unknown): string | null {
  if (named === undefined || named === null || named === '') return null;
  const digits = typeof named === 'string' ? named.replace(/^0x/i, '').toLowerCase() : '';
  if (!/^[0-9a-f]{40}$/.test(digits)) throw notAKeyFile('its "address" is no address of Ethereum');
  return `0x${digits}`;
}

function bytesIn(value: unknown, name: string): Uint8Array {
  const bytes = typeof value === 'string' ? decodeHex(value.replace(/^0x/i, '')) : null;
  if (bytes === null || bytes.length === 0) throw notAKeyFile(`its "${name}" is not hex`);
  return bytes;
}

function notAKeyFile(why: string): KeyFileError {
  const wanted = 'JSON of Web3 Secret Storage, version 3, with scrypt or PBKDF2 and aes-128-ctr, is expected';
  return new KeyFileError('not_a_key_file', `This is not a key file: ${why}; ${wanted}.`);
}

function otherKind(kind: string): KeyFileError {
  const wanted = 'Version 3 with scrypt or PBKDF2 (hmac-sha256) and aes-128-ctr is read';
  return new KeyFileError(
    'other_key_file',
    `This key file is of a kind that is not read here: ${kind}. ${wanted}.`,
    kind,
  );
}

/** A value that a file names, cut so that no sentence is long. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
  return /^[\x20-\x7e]{1,40}$/.test(text) ? text : 'unknown';
}
