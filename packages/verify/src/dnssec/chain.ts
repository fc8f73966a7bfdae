/**
 * The records of a chain in the form of RFC 9102 (3.1, AuthenticationChain): one behind the other in wire format,
 * without compression, those of one name and type with their signatures. The order of records does not count here.
 */
import { type DomainName, latin1, nameText, readName, wireOf } from './domain-name.js';
import { DnssecError } from './dnssec-error.js';

/** Record types that a chain may hold (IANA, DNS Parameters). */
export const TYPES = { CNAME: 5, TXT: 16, DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50, TLSA: 52 } as const;
const KNOWN_TYPES: readonly number[] = Object.values(TYPES);
const CLASS_IN = 1;

/** What a chain may take, in bytes. */
export const MAX_CHAIN_BYTES = 16 * 1024;

/** Owner, type, class, TTL and length of a record, behind its name. */
const RECORD_HEAD_BYTES = 10;
/** RRSIG RDATA in front of the name of the signer (RFC 4034 3.1). */
const SIGNATURE_HEAD_BYTES = 18;

/** One RRSIG. Times are seconds of 32 bits, which run over (RFC 1982). */
export interface RecordSignature {
  algorithm: number;
  /** How many labels the name has that was signed, without those that a wildcard stands for. */
  labels: number;
  originalTtl: number;
  expiration: number;
  inception: number;
  keyTag: number;
  signer: DomainName;
  /** The RDATA in front of the signature, the signer in lowercase: what is signed begins with it. */
  head: Uint8Array;
  signature: Uint8Array;
}

/** All records of one name and type, in canonical order and each once (RFC 4034 6.3), and their signatures. */
export interface RecordSet {
  name: DomainName;
  type: number;
  /** RDATA in canonical form. */
  data: Uint8Array[];
  signatures: RecordSignature[];
}

/** The record sets of a chain. */
export interface Chain {
  /** The set of that name and type, if the chain has records of it. */
  find(name: DomainName, type: number): RecordSet | undefined;
  /** All sets that have records. */
  sets: readonly RecordSet[];
}

interface WireRecord {
  name: DomainName;
  type: number;
  data: Uint8Array;
}

/** @throws DnssecError (`shape`) where bytes are left over, a record is cut, or is none that belongs in a chain */
export function readChain(bytes: Uint8Array, maxBytes = MAX_CHAIN_BYTES): Chain {
  if (bytes.length > maxBytes) throw wrong(`It has more than ${maxBytes} bytes.`);
  const sets = new Map<string, RecordSet>();
  const setOf = (name: DomainName, type: number): RecordSet => {
    const key = keyOf(name, type);
    const found = sets.get(key) ?? { name, type, data: [], signatures: [] };
    sets.set(key, found);
    return found;
  };
  for (let at = 0; at < bytes.length;) {
    const { record, end } = readRecord(bytes, at);
    at = end;
    if (record.type === TYPES.RRSIG) {
      const { covered, signature } = readSignature(record.data);
      setOf(record.name, covered).signatures.push(signature);
    } else {
      setOf(record.name, record.type).data.push(canonicalData(record));
    }
  }
  for (const set of sets.values()) set.data = inOrder(set.data);
  return {
    find: (name, type) => {
      const found = sets.get(keyOf(name, type));
      return found && found.data.length > 0 ? found : undefined;
    },
    sets: [...sets.values()].filter(({ data }) => data.length > 0),
  };
}

/** The records of a set with one of its signatures, in the form in which `readChain` reads them. */
export function writeSet({ name, type, data }: RecordSet, signature: RecordSignature): Uint8Array[] {
  const owner = latin1(wireOf(name));
  const signed = Uint8Array.of(...signature.head, ...signature.signature);
  const record = (recordType: number, rdata: Uint8Array) => {
    const bytes = new Uint8Array(owner.length + RECORD_HEAD_BYTES + rdata.length);
    const view = viewOf(bytes);
    bytes.set(owner);
    view.setUint16(owner.length, recordType);
    view.setUint16(owner.length + 2, CLASS_IN);
    view.setUint32(owner.length + 4, signature.originalTtl);
    view.setUint16(owner.length + 8, rdata.length);
    bytes.set(rdata, owner.length + RECORD_HEAD_BYTES);
    return bytes;
  };
  return [...data.map((one) => record(type, one)), record(TYPES.RRSIG, signed)];
}

/** The strings of a TXT record, joined, bytes as Latin-1. @throws DnssecError (`shape`) */
export function textOf(data: Uint8Array): string {
  const strings: string[] = [];
  for (let at = 0; at < data.length;) {
    const end = at + 1 + data[at]!;
    if (end > data.length) throw wrong('A TXT record is cut.');
    strings.push(String.fromCharCode(...data.subarray(at + 1, end)));
    at = end;
  }
  return strings.join('');
}

/** The name that is all of an RDATA, as in a CNAME. @throws DnssecError (`shape`) */
export function onlyName(data: Uint8Array): DomainName {
  const read = readName(data, 0);
  if (read?.end !== data.length) throw wrong('A CNAME record is none.');
  return read.name;
}

function keyOf(name: DomainName, type: number): string {
  return `${type} ${wireOf(name)}`;
}

function readRecord(bytes: Uint8Array, start: number): { record: WireRecord; end: number } {
  const owner = readName(bytes, start);
  if (!owner || owner.end + RECORD_HEAD_BYTES > bytes.length) throw wrong('A record is cut.');
  const view = viewOf(bytes);
  const { name, end: at } = owner;
  const type = view.getUint16(at);
  const end = at + RECORD_HEAD_BYTES + view.getUint16(at + 8);
  if (view.getUint16(at + 2) !== CLASS_IN || !KNOWN_TYPES.includes(type)) {
    throw wrong(`It holds a record of type ${type} at ${nameText(name)}, which belongs in no chain.`);
  }
  if (end > bytes.length) throw wrong('A record is cut.');
  return { record: { name, type, data: bytes.slice(at + RECORD_HEAD_BYTES, end) }, end };
}

function readSignature(data: Uint8Array): { covered: number; signature: RecordSignature } {
  const signer = data.length > SIGNATURE_HEAD_BYTES ? readName(data, SIGNATURE_HEAD_BYTES) : null;
  if (!signer || signer.end === data.length) throw wrong('An RRSIG record is none.');
  const view = viewOf(data);
  const name = latin1(wireOf(signer.name));
  const head = new Uint8Array(SIGNATURE_HEAD_BYTES + name.length);
  head.set(data.subarray(0, SIGNATURE_HEAD_BYTES));
  head.set(name, SIGNATURE_HEAD_BYTES);
  const signature = {
    ...{ algorithm: data[2]!, labels: data[3]!, originalTtl: view.getUint32(4) },
    ...{ expiration: view.getUint32(8), inception: view.getUint32(12), keyTag: view.getUint16(16) },
    ...{ signer: signer.name, head, signature: data.slice(signer.end) },
  };
  return { covered: view.getUint16(0), signature };
}

/** Of the types of a chain, a CNAME alone has a name that is written in lowercase (RFC 4034 6.2, RFC 6840 5.1). */
function canonicalData({ type, data }: WireRecord): Uint8Array {
  return type === TYPES.CNAME ? latin1(wireOf(onlyName(data))) : data;
}

function inOrder(data: Uint8Array[]): Uint8Array[] {
  const sorted = [...data].sort(compareBytes);
  return sorted.filter((one, place) => place === 0 || compareBytes(one, sorted[place - 1]!) !== 0);
}

/** As texts of unsigned bytes, aligned on the left; the shorter comes first where it is the beginning of the other. */
function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const differs = one.findIndex((byte, place) => byte !== other[place]);
  if (differs < 0 || differs >= other.length) return one.length - other.length;
  return one[differs]! - other[differs]!;
}

/** A view of the bytes of an array, which may lie in a larger buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function wrong(message: string): DnssecError {
  return new DnssecError(message, 'shape');
}
