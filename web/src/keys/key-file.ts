/**
 * Key files as the command `signet` and wallets write them: Web3 Secret Storage, version 3, with scrypt and
 * AES-128-CTR.
 * https://ethereum.org/en/developers/docs/data-structures-and-encoding/web3-secret-storage/
 */
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { decodeHex, encodeHex } from '@signet/verify';

/** More memory than that is not a wallet's key file. 128 * n * r bytes. */
const MAX_SCRYPT_BYTES = 1 << 29;

interface KeyFile {
  version: 3;
  crypto: {
    cipher: 'aes-128-ctr';
    cipherparams: { iv: string };
    ciphertext: string;
    kdf: 'scrypt';
    kdfparams: { n: number; r: number; p: number; dklen: number; salt: string };
    mac: string;
  };
}

/** The file cannot be used: it is not one, or the pass phrase is another one. */
class KeyFileError extends Error {
  constructor(readonly reason: 'not_a_key_file' | 'wrong_passphrase') {
    super(reason);
  }
}

/** The private key in a key file. Takes a second or more, by design. @throws KeyFileError */
export async function readKeyFile(text: string, passphrase: string): Promise<Uint8Array> {
  const { cipherparams, ciphertext, kdfparams, mac } = parse(text).crypto;
  const { n, r, p } = kdfparams;
  const salt = bytesOf(kdfparams.salt);
  const derived = await scryptAsync(passphrase.normalize('NFKC'), salt, { N: n, r, p, dkLen: 32 });
  const sealed = bytesOf(ciphertext);
  const expected = encodeHex(keccak_256(Uint8Array.of(...derived.subarray(16, 32), ...sealed)));
  if (expected !== mac.toLowerCase()) throw new KeyFileError('wrong_passphrase');
  const key = await crypto.subtle.importKey('raw', derived.slice(0, 16), 'AES-CTR', false, ['decrypt']);
  const counter = bytesOf(cipherparams.iv);
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CTR', counter, length: 128 }, key, sealed));
}

function parse(text: string): KeyFile {
  try {
    const file = JSON.parse(text) as KeyFile;
    const { cipher, cipherparams, ciphertext, kdf, kdfparams, mac } = file.crypto;
    const isHex = [cipherparams.iv, ciphertext, kdfparams.salt, mac].every((value) =>
      /^(?:[0-9a-f]{2})+$/i.test(value),
    );
    const { n, r, p, dklen } = kdfparams;
    const isBounded = 128 * n * r <= MAX_SCRYPT_BYTES && p <= 16 && dklen === 32;
    if (file.version === 3 && cipher === 'aes-128-ctr' && kdf === 'scrypt' && isHex && isBounded) return file;
  } catch {
    // Said below.
  }
  throw new KeyFileError('not_a_key_file');
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(decodeHex(hex)!);
}
