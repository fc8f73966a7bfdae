/** Private keys into files that are encrypted with a pass phrase, as `openKeyFile` and wallets open them. */
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { encodeHex } from '../text/encoding.js';
import { counterMode, macOf, publicNames } from './key-file.js';

/** Parameters of scrypt (RFC 7914), by their names in key files. */
export interface ScryptCost {
  n: number;
  r: number;
  p: number;
}

/** What scrypt costs here: 128 MiB and half a second, the usual value of wallets. */
const SCRYPT: ScryptCost = { n: 1 << 17, r: 8, p: 1 };

/**
 * The text of a key file (Web3 Secret Storage, version 3) for a private key of 32 bytes.
 * @throws KeyFileError (`not_a_key_file`) for bytes that are no private key of secp256k1
 */
export async function makeKeyFile(privateKey: Uint8Array, passphrase: string, cost = SCRYPT): Promise<string> {
  const { avatar, address } = publicNames(privateKey);
  const salt = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const { n: N, r, p } = cost;
  const derived = await scryptAsync(passphrase.normalize('NFKC'), salt, { N, r, p, dkLen: 32 });
  const ciphertext = await counterMode('encrypt', derived, iv, privateKey);
  const file = {
    version: 3,
    id: crypto.randomUUID(),
    address: address.slice(2),
    signet: { avatar },
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: encodeHex(iv) },
      ciphertext: encodeHex(ciphertext),
      kdf: 'scrypt',
      kdfparams: { ...cost, dklen: 32, salt: encodeHex(salt) },
      mac: macOf(derived, ciphertext),
    },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
