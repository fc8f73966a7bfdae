/** Keys that sign links: what a signer is, and one of a key in memory. */
import { addressOfKey, decodeBase64, decodeHex, type Hex, recoverPersonalSigner } from '@signet/verify';
import { signPersonal } from '@signet/verify/sign';
import { SignetError } from '../errors.js';

/** An Avatar that can sign. */
export interface Signer {
  /** Compressed key: `0x` and 66 lowercase hex digits. */
  avatar: Hex;
  /** The Ethereum address of the same key, lowercase. */
  address: Hex;
  /** personal_sign over the text: standard Base64 of 65 bytes. */
  sign(text: string): Promise<string>;
}

/** 32 bytes of a secp256k1 key, or their hex with or without `0x`. */
export type PrivateKey = Uint8Array | string;

/**
 * A signer of a key in memory.
 * @throws SignetError (`wrong_signer`) for what is not a private key; its message does not repeat it
 */
export function fromPrivateKey(privateKey: PrivateKey): Signer {
  const bytes = typeof privateKey === 'string' ? decodeHex(privateKey.replace(/^0x/i, '')) : privateKey;
  const sign = (text: string) => signPersonal(text, bytes!);
  let avatar: Hex | null;
  try {
    avatar = recoverPersonalSigner('', decodeBase64(sign(''))!);
  } catch (cause) {
    const message = 'A private key is 32 bytes, or 64 hex digits, and not zero.';
    throw new SignetError(message, { code: 'wrong_signer', cause });
  }
  return { avatar: avatar!, address: addressOfKey(avatar!), sign: (text) => Promise.resolve(sign(text)) };
}
