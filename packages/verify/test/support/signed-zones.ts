/**
 * Signed zones of the DNS with keys of their own, from a made root down: what their servers would answer, written from
 * RFC 4034, 4035, 5155 and 6605 with the curves of Node, and not with the code that reads it.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { base32hexnopad } from '@scure/base';
import type { RootKey } from '../../src/dnssec/dnssec.js';

export const TYPE = { NS: 2, CNAME: 5, SOA: 6, TXT: 16, DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50 } as const;

/** A record; names are lowercase text without a dot at the end, `''` for the root. */
export interface WireRecord {
  name: string;
  type: number;
  ttl: number;
  data: Buffer;
}

/** What signs in a zone. */
interface SigningKey {
  algorithm: number;
  secret: KeyObject;
  /** RDATA of the DNSKEY record. */
  data: Buffer;
}

/** How a zone is signed. */
export interface ZoneOptions {
  algorithm?: 8 | 13 | 14 | 15 | 7;
  /** UNIX seconds. */
  from?: number;
  until?: number;
  /** Absent: NSEC. */
  nsec3?: { iterations: number; salt: Buffer; flags?: number };
  isSigned?: boolean;
}

const TTL = 3600;
export const NOW = 1_767_225_600; // 2026-01-01
const DAY = 86_400;

/** One zone, with all zones below it that were made from it. */
export class SignedZone {
  readonly records: WireRecord[] = [];
  readonly children: SignedZone[] = [];
  readonly options: Required<Omit<ZoneOptions, 'nsec3'>> & Pick<ZoneOptions, 'nsec3'>;
  keyKey: SigningKey;
  zoneKey: SigningKey;

  private constructor(
    readonly name: string,
    options: ZoneOptions,
  ) {
    this.options = { algorithm: 13, from: NOW - DAY, until: NOW + 13 * DAY, isSigned: true, ...options };
    const { algorithm, from, until } = this.options;
    if (from >= until) throw new Error('A zone is signed for some time.');
    this.keyKey = newKey(algorithm, 257);
    this.zoneKey = newKey(algorithm, 256);
    if (this.options.isSigned) this.publishKeys();
    this.add(name, TYPE.SOA, Buffer.concat([wire(`ns.${name}`), wire(`hostmaster.${name}`), Buffer.alloc(20)]));
  }

  static root(options: ZoneOptions = {}): SignedZone {
    return new SignedZone('', options);
  }

  /** Makes a zone below, and names its key here if it is signed. */
  child(label: string, options: ZoneOptions = {}): SignedZone {
    const zone = new SignedZone(this.name === '' ? label : `${label}.${this.name}`, options);
    this.children.push(zone);
    this.add(zone.name, TYPE.NS, wire(`ns.${zone.name}`));
    if (zone.options.isSigned) this.add(zone.name, TYPE.DS, zone.digest());
    return zone;
  }

  add(name: string, type: number, data: Buffer): this {
    this.records.push({ name, type, ttl: TTL, data });
    return this;
  }

  remove(name: string, type: number): this {
    const kept = this.records.filter((one) => one.name !== name || one.type !== type);
    this.records.splice(0, this.records.length, ...kept);
    return this;
  }

  txt(name: string, ...strings: string[]): this {
    const parts = strings.map((text) => Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')]));
    return this.add(name, TYPE.TXT, Buffer.concat(parts));
  }

  cname(name: string, target: string): this {
    return this.add(name, TYPE.CNAME, wire(target));
  }

  /** Another key for the records of the zone; what is signed later is signed by it. */
  roll(): this {
    this.zoneKey = newKey(this.options.algorithm, 256);
    return this.publishKeys();
  }

  publishKeys(): this {
    this.remove(this.name, TYPE.DNSKEY);
    return this.add(this.name, TYPE.DNSKEY, this.keyKey.data).add(this.name, TYPE.DNSKEY, this.zoneKey.data);
  }

  /** RDATA of the DS record that names the key of this zone. */
  digest(hash: 'sha1' | 'sha256' | 'sha384' = 'sha256'): Buffer {
    const { algorithm, data } = this.keyKey;
    const head = Buffer.of(0, 0, algorithm, { sha1: 1, sha256: 2, sha384: 4 }[hash]);
    head.writeUInt16BE(keyTag(data));
    return Buffer.concat([head, createHash(hash).update(wire(this.name)).update(data).digest()]);
  }

  /** The key of this root for the verifier. */
  rootKey(more: Partial<RootKey> = {}): RootKey {
    const digest = this.digest();
    const named = { keyTag: digest.readUInt16BE(0), algorithm: digest[2]!, digest: digest.subarray(4).toString('hex') };
    return { ...named, from: 0, until: null, ...more };
  }

  /** The records of that name and type. */
  at(name: string, type: number): WireRecord[] {
    return this.records.filter((one) => one.name === name && one.type === type);
  }

  /**
   * A set with its signature. @param more `as`: the name that a wildcard stands for; `by`: the zone that signs
   */
  signed(
    set: WireRecord[],
    more: { as?: string; by?: SignedZone; key?: SigningKey; from?: number; until?: number; labels?: number } = {},
  ): WireRecord[] {
    const [{ name, type }] = set as [WireRecord];
    const shown = set.map((one) => ({ ...one, name: more.as ?? name }));
    const { by = this } = more;
    if (!by.options.isSigned) return shown;
    const key = more.key ?? (type === TYPE.DNSKEY ? by.keyKey : by.zoneKey);
    const head = Buffer.alloc(18);
    head.writeUInt16BE(type, 0);
    head[2] = key.algorithm;
    head[3] = more.labels ?? labelsOf(name);
    head.writeUInt32BE(TTL, 4);
    head.writeUInt32BE((more.until ?? by.options.until) % 2 ** 32, 8);
    head.writeUInt32BE((more.from ?? by.options.from) % 2 ** 32, 12);
    head.writeUInt16BE(keyTag(key.data), 16);
    const signer = Buffer.concat([head, wire(by.name)]);
    const sorted = [...set].sort((one, other) => Buffer.compare(one.data, other.data));
    const signature = signWith(key, Buffer.concat([signer, ...sorted.map(wireBytes)]));
    const rrsig = { name: more.as ?? name, type: TYPE.RRSIG, ttl: TTL, data: Buffer.concat([signer, signature]) };
    return [...shown, rrsig];
  }

  /** The record that shows that there is nothing at a name of this zone, signed. */
  denial(name: string): WireRecord[] {
    const { nsec3 } = this.options;
    const names = [...new Set(this.records.map((one) => one.name))];
    const bits = (owner: string) => bitmap(this.records.filter((one) => one.name === owner).map(({ type }) => type));
    if (!nsec3) {
      const sorted = names.sort(inOrder);
      const at = sorted.findLastIndex((owner) => inOrder(owner, name) <= 0);
      const [owner, next] = [sorted[at]!, sorted[(at + 1) % sorted.length]!];
      return this.signed([{ name: owner, type: TYPE.NSEC, ttl: TTL, data: Buffer.concat([wire(next), bits(owner)]) }]);
    }
    const { iterations, salt, flags = 0 } = nsec3;
    const hashes = names.map((one) => nsec3Hash(one, iterations, salt)).sort(Buffer.compare);
    const asked = nsec3Hash(name, iterations, salt);
    const at = hashes.findLastIndex((hash) => Buffer.compare(hash, asked) <= 0);
    const [owner, next] = [hashes.at(at)!, hashes[(at + 1) % hashes.length]!];
    const head = Buffer.of(1, flags, iterations >> 8, iterations & 255, salt.length, ...salt, next.length);
    const label = base32hexnopad.encode(owner).toLowerCase();
    const data = Buffer.concat([head, next, bits('')]);
    return this.signed([{ name: `${label}.${this.name}`, type: TYPE.NSEC3, ttl: TTL, data }]);
  }
}

/** What a resolver answers to one question, from all zones below a root. */
export interface ZoneAnswer {
  answers: WireRecord[];
  authority: WireRecord[];
  exists: boolean;
}

/** Asks the zones as a resolver does, with the DO bit: aliases are followed, wildcards expanded. */
export function resolve(root: SignedZone, asked: string, type: number): ZoneAnswer {
  const answers: WireRecord[] = [];
  const authority: WireRecord[] = [];
  let name = asked;
  for (let hops = 0; hops < 10; hops += 1) {
    const zone = zoneOf(root, name, type);
    const [set, by] = findSet(zone, name, type);
    if (set.length === 0) {
      const exists = zone.records.some((one) => one.name === name || one.name.endsWith(`.${name}`));
      return { answers, authority, exists: answers.length > 0 || exists };
    }
    answers.push(...(by === null ? zone.signed(set) : zone.signed(set, { as: name })));
    if (by !== null && zone.options.isSigned)
      authority.push(...zone.denial(zone.options.nsec3 ? nextCloser(name, by) : name));
    if (set[0]!.type === type) return { answers, authority, exists: true };
    name = textOfWire(set[0]!.data);
  }
  return { answers, authority, exists: true };
}

/** All that a chain for TXT records at a name needs, in the form of RFC 9102. */
export function chainOf(root: SignedZone, name: string): Buffer {
  return Buffer.concat(chainRecords(root, name).map(wireBytes));
}

/** The records of that chain, each once. */
export function chainRecords(root: SignedZone, name: string): WireRecord[] {
  const { answers, authority } = resolve(root, name, TYPE.TXT);
  const zones = new Set<string>();
  for (const { type, data } of answers) if (type === TYPE.RRSIG) zones.add(textOfWire(data.subarray(18)));
  const records = [...answers, ...authority];
  for (let zone of zones) {
    for (;;) {
      for (const one of [TYPE.DNSKEY, TYPE.DS]) records.push(...resolve(root, zone, one).answers);
      if (zone === '') break;
      zone = zone.split('.').slice(1).join('.');
      while (zone !== '' && resolve(root, zone, TYPE.DNSKEY).answers.length === 0)
        zone = zone.split('.').slice(1).join('.');
    }
  }
  // A set that is asked for twice is signed twice, and ECDSA signs with another number each time.
  const seen = new Set<string>();
  return records.filter((one) => {
    const key = `${one.name} ${one.type} ${coveredBy(one) ?? one.data.toString('hex')}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The type that an RRSIG record covers; null for other records. */
export function coveredBy({ type, data }: WireRecord): number | null {
  return type === TYPE.RRSIG ? data.readUInt16BE(0) : null;
}

/** A name in wire format. */
export function wire(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')])),
    Buffer.of(0),
  ]);
}

/** RFC 4034, appendix B. */
export function keyTag(data: Buffer): number {
  let sum = 0;
  data.forEach((byte, place) => (sum += place & 1 ? byte : byte << 8));
  return (sum + ((sum >>> 16) & 0xffff)) & 0xffff;
}

/** A key of an algorithm; RSA keys, which take long to make, are made once. */
export function newKey(algorithm: number, flags: number): SigningKey {
  const { secret, bytes } = keyPair(algorithm);
  return { algorithm, secret, data: Buffer.concat([Buffer.of(flags >> 8, flags & 255, 3, algorithm), bytes]) };
}

const rsaKeys: { secret: KeyObject; bytes: Buffer }[] = [];
let rsaAt = 0;

function keyPair(algorithm: number): { secret: KeyObject; bytes: Buffer } {
  if (algorithm === 8 || algorithm === 7) {
    const key = rsaKeys[rsaAt % 4] ?? rsaPair();
    rsaKeys[rsaAt % 4] = key;
    rsaAt += 1;
    return key;
  }
  if (algorithm === 15) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return { secret: privateKey, bytes: part(publicKey, 'x') };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: algorithm === 14 ? 'P-384' : 'P-256' });
  return { secret: privateKey, bytes: Buffer.concat([part(publicKey, 'x'), part(publicKey, 'y')]) };
}

function rsaPair(modulusLength = 2048, publicExponent = 0x10001): { secret: KeyObject; bytes: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
  const exponent = part(publicKey, 'e');
  return { secret: privateKey, bytes: Buffer.concat([Buffer.of(exponent.length), exponent, part(publicKey, 'n')]) };
}

/** An RSA key of another size or exponent. */
export function rsaKey(modulusLength: number, publicExponent: number, flags: number): SigningKey {
  const { secret, bytes } = rsaPair(modulusLength, publicExponent);
  return { algorithm: 8, secret, data: Buffer.concat([Buffer.of(flags >> 8, flags & 255, 3, 8), bytes]) };
}

function part(key: KeyObject, name: 'x' | 'y' | 'n' | 'e'): Buffer {
  return Buffer.from(key.export({ format: 'jwk' })[name] as string, 'base64url');
}

function signWith({ algorithm, secret }: SigningKey, bytes: Buffer): Buffer {
  if (algorithm === 15) return sign(null, bytes, secret);
  const hash = { 7: 'sha1', 8: 'sha256', 13: 'sha256', 14: 'sha384' }[algorithm];
  return sign(hash, bytes, { key: secret, dsaEncoding: 'ieee-p1363' });
}

/** A record in wire format. */
export function wireBytes({ name, type, ttl, data }: WireRecord): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([wire(name), head, data]);
}

function labelsOf(name: string): number {
  return name === '' ? 0 : name.split('.').filter((label) => label !== '*').length;
}

/** The zone that answers: for DS records that above the name. */
function zoneOf(root: SignedZone, name: string, type: number): SignedZone {
  const isIn = ({ name: zone }: SignedZone) => name.endsWith(`.${zone}`) || (name === zone && type !== TYPE.DS);
  let zone = root;
  for (let next: SignedZone | undefined = root; next; next = zone.children.find(isIn)) zone = next;
  return zone;
}

/** The records, or an alias, at a name; with the wildcard that stands for it, or null. */
function findSet(zone: SignedZone, name: string, type: number): [WireRecord[], string | null] {
  const of = (owner: string) => [zone.at(owner, type), zone.at(owner, TYPE.CNAME)].find((set) => set.length > 0) ?? [];
  const own = of(name);
  if (own.length > 0 || zone.records.some((one) => one.name === name)) return [own, null];
  for (let above = name; above !== zone.name;) {
    above = above.split('.').slice(1).join('.');
    const star = above === '' ? '*' : `*.${above}`;
    if (of(star).length > 0) return [of(star), star];
    if (zone.records.some((one) => one.name === above)) break;
  }
  return [[], null];
}

function nextCloser(name: string, star: string): string {
  return name
    .split('.')
    .slice(-(labelsOf(star) + 1))
    .join('.');
}

function nsec3Hash(name: string, iterations: number, salt: Buffer): Buffer {
  let hash = wire(name);
  for (let round = 0; round <= iterations; round += 1) hash = createHash('sha1').update(hash).update(salt).digest();
  return hash;
}

function inOrder(one: string, other: string): number {
  const key = (name: string) =>
    name === ''
      ? []
      : name
          .split('.')
          .reverse()
          .map((label) => Buffer.from(label, 'latin1'));
  const [left, right] = [key(one), key(other)];
  for (let place = 0; place < Math.min(left.length, right.length); place += 1) {
    const order = Buffer.compare(left[place]!, right[place]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Types below 256 alone (RFC 4034 4.1.2). */
function bitmap(types: number[]): Buffer {
  const all = [...types, TYPE.RRSIG, TYPE.NSEC];
  const bits = Buffer.alloc(Math.floor(Math.max(...all) / 8) + 1);
  for (const type of all) bits[type >> 3]! |= 0x80 >> (type & 7);
  return Buffer.concat([Buffer.of(0, bits.length), bits]);
}

function textOfWire(data: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; data[at]! > 0; at += 1 + data[at]!) labels.push(data.toString('latin1', at + 1, at + 1 + data[at]!));
  return labels.join('.');
}
