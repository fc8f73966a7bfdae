/**
 * Algorithms of DNSSEC that are in use (RFC 8624): 8 RSA with SHA-256, 13 and 14 ECDSA on P-256 and P-384, 15 Ed25519.
 * Those of SHA-1 and before show nothing any more.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { NistCurve, WithNistCurves } from '../keys/curves.js';
import { nobleEd25519 } from '../keys/noble-ed25519.js';
import { nobleP256, nobleP384 } from '../keys/noble-nist.js';

/** A signature by a key in the form of a DNSKEY record, over bytes, and with which curves it is checked. */
interface Signed extends WithNistCurves {
  key: Uint8Array;
  signature: Uint8Array;
  data: Uint8Array;
}

/** Algorithm numbers (IANA, DNS Security Algorithm Numbers). */
const ALGORITHMS: Record<number, (signed: Signed) => boolean> = {
  8: isRsaSha256,
  13: (signed) => isEcdsa(signed.curves?.p256 ?? nobleP256, signed),
  14: (signed) => isEcdsa(signed.curves?.p384 ?? nobleP384, signed),
  15: ({ key, signature, data }) => nobleEd25519.verify(data, signature, key),
};

/** Keys of fewer bits are out of use, and none has more (RFC 5702 2). */
const MIN_RSA_BITS = 1024;
const MAX_RSA_BYTES = 512;
const MAX_EXPONENT_BYTES = 4;
/** ASN.1 in front of a SHA-256 digest (RFC 8017 9.2, note 1). */
const DIGEST_INFO = '3031300d060960864801650304020105000420';

/** Whether signatures of an algorithm are checked here. */
export function isInUse(algorithm: number): boolean {
  return Object.hasOwn(ALGORITHMS, algorithm);
}

/** Whether the key has made the signature. Never throws. */
export function isSignedWith(algorithm: number, signed: Signed): boolean {
  try {
    return isInUse(algorithm) && ALGORITHMS[algorithm]!(signed);
  } catch {
    return false;
  }
}

/** RFC 6605: the key is the two coordinates, the signature r and s; both of any size of s. */
function isEcdsa(curve: NistCurve, { key, signature, data }: Signed): boolean {
  return curve.verify(data, signature, Uint8Array.of(4, ...key));
}

/** RFC 5702 and RFC 8017 8.2.2: the signature, raised to the exponent, has to be the padded digest itself. */
function isRsaSha256({ key, signature, data }: Signed): boolean {
  const read = readRsaKey(key);
  if (!read || signature.length !== read.bytes) return false;
  const { modulus, exponent, bytes } = read;
  const value = numberOf(signature);
  if (value >= modulus) return false;
  const digest = DIGEST_INFO + bytesToHex(sha256(data));
  const padding = 'ff'.repeat(bytes - digest.length / 2 - 3);
  return power(value, exponent, modulus) === BigInt(`0x0001${padding}00${digest}`);
}

/** RFC 3110 2; null for a key of a size or an exponent that is not in use. */
function readRsaKey(key: Uint8Array): { modulus: bigint; exponent: bigint; bytes: number } | null {
  const start = key[0] === 0 ? 3 : 1;
  const length = key[0] === 0 ? key[1]! * 256 + key[2]! : key[0]!;
  const parts = [key.subarray(start, start + length), key.subarray(start + length)] as const;
  const [exponent, modulus] = [numberOf(parts[0]), numberOf(parts[1])];
  const bytes = parts[1].length;
  const isUsable =
    length <= MAX_EXPONENT_BYTES &&
    exponent >= 3n &&
    exponent % 2n === 1n &&
    bytes <= MAX_RSA_BYTES &&
    modulus >= 1n << BigInt(MIN_RSA_BITS - 1) &&
    parts[1][0] !== 0;
  return isUsable ? { modulus, exponent, bytes } : null;
}

/** `exponent` has 32 bits at most, so that this takes at most 64 products. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}
