/** Keys of zones: DNSKEY records, and what names them in the zone above (DS records, or the keys of the root). */
import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isInUse } from './algorithms.js';
import { type RecordSet, viewOf } from './chain.js';
import { latin1, wireOf } from './domain-name.js';
import type { Budget } from './budget.js';

/** A key of the root, as the IANA publishes it (root-anchors.xml), and from when until when it counts. */
export interface RootKey {
  keyTag: number;
  algorithm: number;
  /** SHA-256 of the root's name and the DNSKEY record, lowercase hex. */
  digest: string;
  /** UNIX seconds; null while no end is known. */
  from: number;
  until: number | null;
}

/** The keys of the root whose time has begun: of 2017 and of 2024 (`validFrom`, `validUntil` of the IANA). */
export const ROOT_KEYS: readonly RootKey[] = [
  {
    ...{ keyTag: 20326, algorithm: 8, from: 1485993600, until: null },
    digest: 'e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d',
  },
  {
    ...{ keyTag: 38696, algorithm: 8, from: 1721260800, until: null },
    digest: '683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16',
  },
];

/**
 * A further key of the root, as its DS record is written in a zone file: `<key tag> <algorithm> 2 <SHA-256, hex>`. It
 * counts at all times. Null for another text.
 */
export function readRootKey(text: string): RootKey | null {
  const [, keyTag, algorithm, digest] = /^(\d{1,5}) (\d{1,3}) 2 ([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (digest === undefined) return null;
  return { keyTag: Number(keyTag), algorithm: Number(algorithm), digest: digest.toLowerCase(), from: 0, until: null };
}

/** A key of a zone that may sign records. */
export interface ZoneKey {
  keyTag: number;
  algorithm: number;
  key: Uint8Array;
  /** RDATA of the record. */
  data: Uint8Array;
}

/** What names a key: a DS record, or an entry of `ROOT_KEYS`. */
export interface KeyDigest {
  keyTag: number;
  algorithm: number;
  digestType: number;
  /** Lowercase hex. */
  digest: string;
}

/** RFC 4034 2.1 and RFC 5011 2.1: flags of DNSKEY records. */
const ZONE_FLAG = 0x0100;
const REVOKED_FLAG = 0x0080;
const DNSSEC_PROTOCOL = 3;
const KEY_HEAD_BYTES = 4;
/** Digest types that are in use (RFC 8624 3.3): SHA-256 and SHA-384. */
const SHA_256 = 2;
const HASHES: Record<number, (bytes: Uint8Array) => Uint8Array> = { [SHA_256]: sha256, 4: sha384 };

/** The keys in a set of DNSKEY records that may sign: of the zone, not revoked, of an algorithm in use. */
export function keysIn({ data }: RecordSet): ZoneKey[] {
  return data.flatMap((record) => {
    if (record.length <= KEY_HEAD_BYTES) return [];
    const flags = viewOf(record).getUint16(0);
    const [algorithm, isZone] = [record[3]!, (flags & ZONE_FLAG) !== 0 && (flags & REVOKED_FLAG) === 0];
    if (!isZone || record[2] !== DNSSEC_PROTOCOL || !isInUse(algorithm)) return [];
    return [{ keyTag: keyTagOf(record), algorithm, key: record.subarray(KEY_HEAD_BYTES), data: record }];
  });
}

/** What a set of DS records names. */
export function digestsIn({ data }: RecordSet): KeyDigest[] {
  return data.flatMap((record) => {
    if (record.length <= KEY_HEAD_BYTES) return [];
    const [keyTag, algorithm, digestType] = [viewOf(record).getUint16(0), record[2]!, record[3]!];
    return [{ keyTag, algorithm, digestType, digest: bytesToHex(record.subarray(KEY_HEAD_BYTES)) }];
  });
}

/** The keys of the root that count at a time, UNIX seconds. */
export function rootDigests(keys: readonly RootKey[], at: number): KeyDigest[] {
  return keys
    .filter(({ from, until }) => from <= at && (until === null || at < until))
    .map(({ keyTag, algorithm, digest }) => ({ keyTag, algorithm, digest, digestType: SHA_256 }));
}

/** The keys of a set of DNSKEY records that a digest names. @throws DnssecError where hashing takes too much */
export function namedKeys(set: RecordSet, digests: readonly KeyDigest[], budget: Budget): ZoneKey[] {
  const owner = latin1(wireOf(set.name));
  return keysIn(set).filter(({ keyTag, algorithm, data }) =>
    digests.some((named) => {
      const hash = Object.hasOwn(HASHES, named.digestType) ? HASHES[named.digestType]! : null;
      if (!hash || named.keyTag !== keyTag || named.algorithm !== algorithm) return false;
      budget.hash(owner.length + data.length);
      return bytesToHex(hash(Uint8Array.of(...owner, ...data))) === named.digest;
    }),
  );
}

/** RFC 4034, appendix B. */
function keyTagOf(data: Uint8Array): number {
  let sum = 0;
  for (const [place, byte] of data.entries()) sum += place % 2 === 0 ? byte << 8 : byte;
  return (sum + ((sum >> 16) & 0xffff)) & 0xffff;
}
