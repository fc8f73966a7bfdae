import { createHash, randomBytes } from 'node:crypto';
import { encodeHex } from '@signet/verify';

const SEED_BYTES = 32;
/** Enough that no two deployments share a name. */
const NAME_DIGITS = 16;

/** A new private key of Ed25519 (RFC 8032), as 64 hex digits. */
export function newSeed(): string {
  return encodeHex(randomBytes(SEED_BYTES));
}

/** Hex digits of the hash of a public key, for the name of a log or witness that has none of its own. */
export function nameDigits(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, NAME_DIGITS);
}
