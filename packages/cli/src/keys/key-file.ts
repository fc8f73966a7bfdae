/**
 * A private key in a file, encrypted with a pass phrase: Web3 Secret Storage, version 3, with scrypt, which wallets
 * import. https://ethereum.org/en/developers/docs/data-structures-and-encoding/web3-secret-storage/
 * The member `signet` is ours, and others ignore it: the public key, so that it can be shown without the pass phrase.
 */
import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { scrypt } from '@noble/hashes/scrypt.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { fromPrivateKey } from '@signet/sdk';
import { describeKeyFile, KeyFileError, openKeyFile } from '@signet/verify/files';
import { RefusedError } from '../exit.js';

/** What scrypt costs here: 128 MiB and half a second, the usual value of wallets. */
const SCRYPT = { n: 1 << 17, r: 8, p: 1, dklen: 32 };

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
export async function decryptKey(text: string, passphrase: string): Promise<Uint8Array> {
  return openKeyFile(text, passphrase).catch(refuse);
}

/** What a key file says of itself without its pass phrase. @throws RefusedError (`invalid_key_file`) */
export function namesInKeyFile(text: string): { avatar: string | null; address: string | null } {
  try {
    return describeKeyFile(text);
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof KeyFileError)) throw error;
  throw new RefusedError(error.message, error.code === 'wrong_passphrase' ? error.code : 'invalid_key_file');
}

function derive(passphrase: string, salt: Uint8Array, { n, r, p, dklen }: ScryptCost): Buffer {
  return Buffer.from(scrypt(passphrase.normalize('NFKC'), salt, { N: n, r, p, dkLen: dklen }));
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Buffer {
  return Buffer.from(keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext])));
}
