/** The names of the keys that sign key events, and which key made a signature. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Secp256k1 } from '../keys/curves.js';
import { addressBy } from '../keys/ethereum-address.js';
import { personalSignerBy } from '../signatures/personal-sign.js';
import { decodeBase64, decodeHex, encodeHex } from '../text/encoding.js';

/** The name of the Avatar key itself among those that sign. */
export const MAIN_KEY = 'main';

/** `key:` and 64 hex digits, or `eip155:` and an address in small letters. */
const RECOVERY_KEY = /^(?:key:[0-9a-f]{64}|eip155:0x[0-9a-f]{40})$/;

/** Whether a value, which may be anything, names a recovery key. */
export function isRecoveryKey(value: unknown): value is string {
  return typeof value === 'string' && RECOVERY_KEY.test(value);
}

/**
 * The two names under which a key can be committed: `key:<hex SHA-256 of the 33 bytes>`, which says nothing of it until
 * it signs, and `eip155:<address>`, which is public and is what a wallet knows of itself.
 * @param key compressed, `0x` and 66 hex digits
 * @throws TypeError if the text is not such a key
 */
export function recoveryNamesOf(key: string, secp256k1: Secp256k1): { hash: string; address: string } {
  const address = addressBy(key, secp256k1);
  return { hash: `key:${encodeHex(sha256(decodeHex(key.slice(2))!))}`, address: `eip155:${address}` };
}

/** The key that made a signature with personal_sign, compressed, or null. @param signature Base64 */
export function signerOf(text: string, signature: unknown, secp256k1: Secp256k1): string | null {
  const bytes = typeof signature === 'string' ? decodeBase64(signature) : null;
  return bytes && personalSignerBy(text, bytes, secp256k1);
}

/** Whether this key, compressed, is the one that `name` names for the Avatar: `main`, or a recovery key. */
export function isKeyNamed(name: string, key: string, avatar: string, secp256k1: Secp256k1): boolean {
  if (name === MAIN_KEY) return key === avatar;
  const { hash, address } = recoveryNamesOf(key, secp256k1);
  return name === hash || name === address;
}

/**
 * The name of the key, compressed, among those that may sign for the Avatar: `main`, or one of these recovery keys, of
 * which the highest counts where two name the same key. Null for another key.
 */
export function nameOfSigner(
  key: string,
  avatar: string,
  recovery: readonly string[],
  secp256k1: Secp256k1,
): string | null {
  if (key === avatar) return MAIN_KEY;
  const { hash, address } = recoveryNamesOf(key, secp256k1);
  return recovery.find((name) => name === hash || name === address) ?? null;
}
