/**
 * That nothing stands at a name, so that a wildcard stands for it: by the NSEC or NSEC3 records of its zone (RFC 4035
 * 5.3.4, RFC 5155 8.8).
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { base32hexnopad } from '@scure/base';
import type { Budget } from './budget.js';
import { type Chain, type RecordSet, TYPES, viewOf } from './chain.js';
import { DnssecError } from './dnssec-error.js';
import {
  commonLabels,
  compareNames,
  type DomainName,
  endOf,
  isWithin,
  latin1,
  lowercase,
  nameText,
  readName,
  wireOf,
} from './domain-name.js';

/** A record set that a wildcard stands for. */
interface Expanded {
  chain: Chain;
  budget: Budget;
  /** The name that was asked for. */
  name: DomainName;
  /** How many labels the wildcard has behind its asterisk. */
  labels: number;
  zone: DomainName;
  /** The zone that has signed a set under its own name; null where a wildcard stands for that. */
  isSigned: (set: RecordSet) => DomainName | null;
}

/** Types by which a name is delegated or led elsewhere: its NSEC record says nothing of what is below it. */
const [NS, SOA, DNAME] = [2, 6, 39];
/** NSEC3 (RFC 5155 3.1): SHA-1 is the only hash; more iterations than these are out of use (RFC 9276 3.2). */
const HASH_SHA_1 = 1;
const MAX_ITERATIONS = 100;
const NSEC3_HEAD_BYTES = 5;
const HASH_BYTES = 20;

/** @throws DnssecError where no record shows that there is nothing at the name, or nearer to it than the wildcard */
export function shownNowhereElse(expanded: Expanded): void {
  const { chain, name, zone, isSigned } = expanded;
  const covers: Record<number, typeof coversName> = { [TYPES.NSEC]: coversName, [TYPES.NSEC3]: coversHash };
  const covering = chain.sets.filter((set) => set.data.length === 1 && covers[set.type]?.(set, expanded));
  const isShown = covering.some((set) => {
    const signer = isSigned(set);
    return signer !== null && wireOf(signer) === wireOf(zone);
  });
  if (!isShown) {
    throw new DnssecError(`That a wildcard stands for ${nameText(name)}, and nothing at it itself, is not shown.`);
  }
}

/** NSEC: the name lies between the owner and the next name, and neither of them is nearer to it than the wildcard. */
function coversName({ name: owner, data }: RecordSet, { name, labels, zone }: Expanded): boolean {
  const next = readName(data[0]!, 0, true);
  if (!next || !isWithin(owner, zone)) return false;
  const following = next.name.map(lowercase);
  const isLast = wireOf(following) === wireOf(zone);
  const isBetween = compareNames(owner, name) < 0 && (isLast || compareNames(name, following) < 0);
  const isNearest = commonLabels(name, owner) <= labels && commonLabels(name, following) <= labels;
  return isBetween && isNearest && !(isWithin(name, owner) && leadsElsewhere(data[0]!, next.end));
}

/** NSEC3: the name that is one label longer than the wildcard's hashes to what lies between the owner and the next. */
function coversHash({ name: owner, data: [record] }: RecordSet, { name, labels, zone, budget }: Expanded): boolean {
  if (owner.length !== zone.length + 1 || !isWithin(owner, zone)) return false;
  const read = readNsec3(record!);
  if (!read) return false;
  const { iterations, salt, next } = read;
  const start = owner[0]!.toUpperCase();
  const hash = hashOf(endOf(name, labels + 1), iterations, salt, budget);
  return start < next ? start < hash && hash < next : start < hash || hash < next;
}

/** Null for records of other hashes, of too many iterations, and of spans that leave out zones which are not signed. */
function readNsec3(data: Uint8Array): { iterations: number; salt: Uint8Array; next: string } | null {
  if (data.length <= NSEC3_HEAD_BYTES || data[0] !== HASH_SHA_1 || data[1] !== 0) return null;
  const iterations = viewOf(data).getUint16(2);
  const saltEnd = NSEC3_HEAD_BYTES + data[4]!;
  const nextStart = saltEnd + 1;
  const next = data.slice(nextStart, nextStart + HASH_BYTES);
  if (iterations > MAX_ITERATIONS || data[saltEnd] !== HASH_BYTES || next.length !== HASH_BYTES) return null;
  return { iterations, salt: data.slice(NSEC3_HEAD_BYTES, saltEnd), next: base32hexnopad.encode(next) };
}

/** RFC 5155 5, in Base32 with the extended hex alphabet, which keeps the order. */
function hashOf(name: DomainName, iterations: number, salt: Uint8Array, budget: Budget): string {
  let hash = latin1(wireOf(name));
  for (let round = 0; round <= iterations; round += 1) {
    budget.hash(hash.length + salt.length);
    hash = sha1(Uint8Array.of(...hash, ...salt));
  }
  return base32hexnopad.encode(hash);
}

/** Whether the types at a name say that it is delegated (NS without SOA), or led elsewhere (RFC 6840 4.1, 4.4). */
function leadsElsewhere(data: Uint8Array, bitmap: number): boolean {
  const has = (type: number) => {
    const [window, length] = [data[bitmap], data[bitmap + 1] ?? 0];
    const place = type >> 3;
    return window === 0 && place < length && ((data[bitmap + 2 + place] ?? 0) & (0x80 >> (type & 7))) !== 0;
  };
  return (has(NS!) && !has(SOA!)) || has(DNAME!);
}
