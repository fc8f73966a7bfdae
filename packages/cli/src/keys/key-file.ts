/**
 * A private key in a file, encrypted with a pass phrase: Web3 Secret Storage, version 3, with scrypt, which wallets
 * import. https://ethereum.org/en/developers/docs/data-structures-and-encoding/web3-secret-storage/
 * The member `signet` is ours, and others ignore it: the public key, so that it can be shown without the pass phrase.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { scrypt } from '@noble/hashes/scrypt.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { fromPrivateKey } from '@signet/sdk';
import { RefusedError } from '../exit.js';

/** What scrypt costs: 128 MiB and half a second, the usual value of wallets. */
const SCRYPT = { n: 1 << 17, r: 8, p: 1, dklen: 32 };
/** More than that is not a key file of a wallet but an attempt to fill the memory. */
const MAX_SCRYPT_BYTES = 1 << 30;
const MAX_SCRYPT_BLOCKS = 64;

/** Parameters of scrypt (RFC 7914), by their names in key files. */
export interface ScryptCost {
  n: number;
  r: number;
  p: number;
  dklen: number;
}

interface KeyFile {
  version: 3;
  id: string;
  /** Ethereum address, hex without `0x`. */
  address: string;
  signet?: { avatar: string };
  crypto: {
    cipher: string;
    cipherparams: { iv: string };
    ciphertext: string;
    kdf: string;
    kdfparams: ScryptCost & { salt: string };
    /** keccak-256 of the second half of the derived key and the ciphertext. */
    mac: string;
  };
}

/** The text of a key file for a private key of 32 bytes. */
export function encryptKey(privateKey: Uint8Array, passphrase: string, cost: ScryptCost = SCRYPT): string {
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  const derived = derive(passphrase, salt, cost);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(privateKey), cipher.final()]);
  const { avatar, address } = fromPrivateKey(privateKey);
  const file: KeyFile = {
    version: 3,
    id: randomUUID(),
    address: address.slice(2),
    signet: { avatar },
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams: { ...cost, salt: salt.toString('hex') },
      mac: macOf(derived, ciphertext).toString('hex'),
    },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * The private key in the text of a key file.
 * @throws RefusedError (`invalid_key_file`, `wrong_passphrase`)
 */
export function decryptKey(text: string, passphrase: string): Uint8Array {
  const file = parse(text);
  const { cipherparams, ciphertext, kdfparams, mac } = file.crypto;
  const sealed = Buffer.from(ciphertext, 'hex');
  const derived = derive(passphrase, Buffer.from(kdfparams.salt, 'hex'), kdfparams);
  const expected = Buffer.from(mac, 'hex');
  const seen = macOf(derived, sealed);
  if (expected.length !== seen.length || !timingSafeEqual(expected, seen)) {
    throw new RefusedError('The pass phrase is not that of the key file.', 'wrong_passphrase');
  }
  const cipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(cipherparams.iv, 'hex'));
  const privateKey = new Uint8Array(Buffer.concat([cipher.update(sealed), cipher.final()]));
  const said = file.signet?.avatar;
  if (said !== undefined && said !== fromPrivateKey(privateKey).avatar) {
    throw new RefusedError('The key file names another public key than its own.', 'invalid_key_file');
  }
  return privateKey;
}

/** What a key file says of itself without its pass phrase; `avatar` is null in files of other programs. */
export function describeKeyFile(text: string): { avatar: string | null; address: string } {
  const { address, signet } = parse(text);
  return { avatar: signet?.avatar ?? null, address: `0x${address.replace(/^0x/, '').toLowerCase()}` };
}

/** Whether a text could be a key file, and not a key or words. */
export function looksLikeKeyFile(text: string): boolean {
  return text.trimStart().startsWith('{');
}

/** Not Node's own scrypt, which refuses files of wallets that chose r = 1 and a large N, as the specification does. */
function derive(passphrase: string, salt: Uint8Array, { n, r, p, dklen }: ScryptCost): Buffer {
  const maxmem = MAX_SCRYPT_BYTES + (1 << 20);
  return Buffer.from(scrypt(passphrase.normalize('NFKC'), salt, { N: n, r, p, dkLen: dklen, maxmem }));
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Buffer {
  return Buffer.from(keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext])));
}

function parse(text: string): KeyFile {
  let file: KeyFile | null = null;
  try {
    const { Crypto, ...written } = JSON.parse(text) as KeyFile & { Crypto?: KeyFile['crypto'] };
    // Some programs write the name with a capital letter.
    file = Crypto ? { ...written, crypto: Crypto } : written;
  } catch {
    // Said below, without quoting what is there.
  }
  const parts = file?.crypto;
  const isHex = (value: unknown) => typeof value === 'string' && /^(?:[0-9a-fA-F]{2})+$/.test(value);
  const isWhole =
    file?.version === 3 &&
    typeof file.address === 'string' &&
    parts?.cipher === 'aes-128-ctr' &&
    parts.kdf === 'scrypt' &&
    [parts.ciphertext, parts.mac, parts.cipherparams?.iv, parts.kdfparams?.salt].every(isHex) &&
    isBearable(parts.kdfparams);
  if (isWhole) return file!;
  throw new RefusedError(
    'This is not a key file: JSON of Web3 Secret Storage, version 3, with scrypt and aes-128-ctr, is expected.',
    'invalid_key_file',
  );
}

function isBearable({ n, r, p, dklen }: ScryptCost): boolean {
  const areNumbers = [n, r, p, dklen].every((number) => Number.isSafeInteger(number) && number > 0);
  return areNumbers && dklen === 32 && 128 * n * r <= MAX_SCRYPT_BYTES && p <= MAX_SCRYPT_BLOCKS;
}
