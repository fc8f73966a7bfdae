/**
 * Which record sets of a chain are signed, from a key of the root down to the zone of each (RFC 4035 5, RFC 6840): a
 * zone names the keys of the zone below it in a set of DS records, and these keys sign what stands in that zone.
 */
import type { WithNistCurves } from '../keys/curves.js';
import { isSignedWith } from './algorithms.js';
import type { Budget } from './budget.js';
import { type Chain, type RecordSet, type RecordSignature, TYPES } from './chain.js';
import { shownNowhereElse } from './denial.js';
import { DnssecError } from './dnssec-error.js';
import { type DomainName, endOf, isWithin, latin1, nameText, wireOf } from './domain-name.js';
import { digestsIn, keysIn, type KeyDigest, namedKeys, type ZoneKey } from './zone-keys.js';

/** What is known of a set whose signature holds. */
export interface SignedSet {
  /** The zone that signs it. */
  zone: DomainName;
  signature: RecordSignature;
}

/** What a check begins with. */
export interface CheckContext extends WithNistCurves {
  chain: Chain;
  /** UNIX seconds that have to lie within the time of every signature. */
  at: number;
  /** Keys of the root that count at that time. */
  roots: readonly KeyDigest[];
  budget: Budget;
}

/** Half of the numbers of 32 bits: times behind a moment are at most so far from it (RFC 1982). */
const HALF = 0x8000_0000;
const CLASS_IN = 1;

/** Checks record sets of one chain, each at most once. */
export class SignedSets {
  /** The signatures that were needed, in the order in which they were found. */
  readonly used: { set: RecordSet; signature: RecordSignature }[] = [];
  private readonly keys = new Map<string, ZoneKey[]>();

  constructor(private readonly context: CheckContext) {}

  /**
   * Demands that a set is signed by its zone; one that a wildcard stands for, that nothing stands at the name itself.
   * @throws DnssecError (`signature`, `time`)
   */
  demand(set: RecordSet): SignedSet {
    const signed = this.signedBy(set, (zone) => {
      const isAbove = isWithin(set.name, zone) && !(set.type === TYPES.DS && zone.length === set.name.length);
      return isAbove ? this.keysOf(zone) : [];
    });
    const { labels } = signed.signature;
    if (labels < labelsOf(set.name)) {
      if (set.type === TYPES.DS) throw new DnssecError(`The DS records of ${nameText(set.name)} are a wildcard.`);
      shownNowhereElse({
        ...this.context,
        name: set.name,
        labels,
        zone: signed.zone,
        isSigned: (one) => this.plain(one),
      });
    }
    return signed;
  }

  /** Whether a set is signed under its own name, and by which zone; null where it is not. */
  private plain(set: RecordSet): DomainName | null {
    const { zone, signature } = this.signedBy(set, (signer) => (isWithin(set.name, signer) ? this.keysOf(signer) : []));
    return signature.labels === labelsOf(set.name) ? zone : null;
  }

  /** The keys of a zone that its parent names, and those that these sign; asked for once. */
  private keysOf(zone: DomainName): ZoneKey[] {
    const known = this.keys.get(wireOf(zone));
    if (known) return known;
    const keys = this.findKeys(zone);
    this.keys.set(wireOf(zone), keys);
    return keys;
  }

  private findKeys(zone: DomainName): ZoneKey[] {
    const { budget, chain, roots } = this.context;
    const set = chain.find(zone, TYPES.DNSKEY);
    if (!set) throw new DnssecError(`The keys of the zone ${nameText(zone)} are not in the chain.`);
    const named = namedKeys(set, zone.length === 0 ? roots : this.digestsOf(zone), budget);
    if (named.length === 0) {
      const parent = zone.length === 0 ? 'of the root that is known for this time' : 'that the zone above it names';
      throw new DnssecError(`The zone ${nameText(zone)} has no key ${parent}.`);
    }
    const { signature } = this.signedBy(set, (signer) => (wireOf(signer) === wireOf(zone) ? named : []));
    if (signature.labels !== zone.length) throw new DnssecError(`The keys of ${nameText(zone)} are a wildcard.`);
    return keysIn(set);
  }

  private digestsOf(zone: DomainName): KeyDigest[] {
    const set = this.context.chain.find(zone, TYPES.DS);
    if (!set) throw new DnssecError(`That the zone ${nameText(zone)} is signed is not in the chain.`);
    this.demand(set);
    return digestsIn(set);
  }

  /** The first signature of a set that holds. @throws DnssecError for the most telling reason why none does */
  private signedBy(set: RecordSet, keysOf: (zone: DomainName) => ZoneKey[]): SignedSet {
    const what = `The ${typeText(set.type)} records of ${nameText(set.name)}`;
    if (set.signatures.length === 0) throw new DnssecError(`${what} are not signed.`);
    const timely = set.signatures.filter((signature) => isTimely(signature, this.context.at));
    if (timely.length === 0) throw new DnssecError(`${what} are signed for another time.`, 'time');
    for (const signature of timely) {
      if (signature.labels > labelsOf(set.name)) continue;
      const { algorithm, keyTag, signer } = signature;
      const keys = keysOf(signer).filter((key) => key.keyTag === keyTag && key.algorithm === algorithm);
      if (keys.some(({ key }) => this.holds(set, signature, key))) {
        this.used.push({ set, signature });
        return { zone: signer, signature };
      }
    }
    throw new DnssecError(`${what} are not signed by a key of their zone.`);
  }

  private holds(set: RecordSet, signature: RecordSignature, key: Uint8Array): boolean {
    const { budget, curves } = this.context;
    const data = signedBytes(set, signature);
    budget.hash(data.length);
    budget.sign();
    return isSignedWith(signature.algorithm, { key, signature: signature.signature, data, curves });
  }
}

/** Whether a moment, UNIX seconds, lies within the time of a signature. */
function isTimely({ inception, expiration }: RecordSignature, at: number): boolean {
  const isBefore = (one: number, other: number) => (((other - one) % (2 * HALF)) + 2 * HALF) % (2 * HALF) < HALF;
  return isBefore(inception, at) && isBefore(at, expiration);
}

/** What a signature covers (RFC 4034 3.1.8.1). */
function signedBytes({ name, type, data }: RecordSet, { head, labels, originalTtl }: RecordSignature): Uint8Array {
  const owner = latin1(wireOf(labels === labelsOf(name) ? name : ['*', ...endOf(name, labels)]));
  const size = data.reduce((sum, one) => sum + owner.length + 10 + one.length, head.length);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(head);
  let at = head.length;
  for (const one of data) {
    bytes.set(owner, at);
    at += owner.length;
    view.setUint16(at, type);
    view.setUint16(at + 2, CLASS_IN);
    view.setUint32(at + 4, originalTtl);
    view.setUint16(at + 8, one.length);
    bytes.set(one, at + 10);
    at += 10 + one.length;
  }
  return bytes;
}

/** How many labels a signature of a name counts: neither the root nor a wildcard (RFC 4034 3.1.3). */
function labelsOf(name: DomainName): number {
  return name[0] === '*' ? name.length - 1 : name.length;
}

function typeText(type: number): string {
  return Object.entries(TYPES).find(([, number]) => number === type)?.[0] ?? String(type);
}
