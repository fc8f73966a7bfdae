import { createHash } from 'node:crypto';
import { signPersonal } from '@signet/verify/sign';
import { secp256k1 } from '@noble/curves/secp256k1.js';

/** A person of the tests with a secp256k1 key. */
export interface Person {
  /** Both spellings of the public key, hex behind `0x`. */
  key: { compressed: string; uncompressed: string };
  /** 32 bytes. */
  privateKey: Uint8Array;
  /** personal_sign: standard Base64. */
  sign(text: string): string;
}

/** One name always gives one key; another name gives another key. */
export function anAvatar(name: string): Person {
  const privateKey = new Uint8Array(createHash('sha256').update(`avatar ${name}`).digest());
  const spelling = (isCompressed: boolean) =>
    `0x${Buffer.from(secp256k1.getPublicKey(privateKey, isCompressed)).toString('hex')}`;
  return {
    key: { compressed: spelling(true), uncompressed: spelling(false) },
    privateKey,
    sign: (text) => signPersonal(text, privateKey),
  };
}
