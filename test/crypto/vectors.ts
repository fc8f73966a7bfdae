/** The shared vectors and the curve libraries on which every one of them is tried. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Curves, Secp256k1 } from '@signet/verify';
import { backendOf } from '../../src/crypto/ecdsa.js';

/** A record of proof-links.json or kv-links.json; the README beside them explains the fields. */
export interface SignedRecord {
  id: string;
  public_key: string;
  public_key_uncompressed: string;
  address: string;
  payload: string;
  signature: string;
  platform: string;
  wallet_address?: string;
  wallet_signature?: string;
}

/** Reads a JSON file of test/vectors. */
export function readVectors<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8')) as T;
}

type Library = Parameters<typeof backendOf>[0];

const require = createRequire(import.meta.url);

/** elliptic, which the service uses where no binding loads. */
export const ellipticBackend: Secp256k1 = backendOf(require('secp256k1/elliptic') as Library);

/** The C library of Bitcoin Core, or null on a machine for which there is no compiled binding. */
export const libsecp256k1: Secp256k1 | null = loadBinding();

/** A backend as an option of the rules. */
export const curvesOf = (secp256k1: Secp256k1): Curves => ({ secp256k1, ed25519: null });

/** elliptic everywhere, libsecp256k1 wherever its binding loads. */
export const BACKENDS: [string, Secp256k1][] = [
  ...(libsecp256k1 ? [['libsecp256k1', libsecp256k1] as [string, Secp256k1]] : []),
  ['elliptic', ellipticBackend],
];

function loadBinding(): Secp256k1 | null {
  try {
    return backendOf(require('secp256k1/bindings') as Library);
  } catch {
    return null;
  }
}

/** Bytes of a hex text. */
export function hex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** A number as 32 bytes, big-endian. */
export function bytes32(value: bigint): Uint8Array {
  return hex(value.toString(16).padStart(64, '0'));
}

/** 32 big-endian bytes as a number. */
export function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** The order of the secp256k1 group (SEC 2, section 2.4.1). */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
