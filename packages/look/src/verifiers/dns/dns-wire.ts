/**
 * Questions and replies in wire format (RFC 1035 4), byte by byte: what a zone signs are bytes, and a browser has to
 * read them too. `dns-packet`, which reads the texts of records, decodes names to text and runs in Node alone.
 */
import { MAX_RECORDS, noAnswer } from './dns-answers.js';

/** Record types (IANA, DNS Parameters). */
export const TYPES = { CNAME: 5, TXT: 16, DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50 } as const;

/** A record, its names without compression. */
export interface WireRecord {
  /** Owner in wire format, letters in lowercase, bytes as Latin-1. */
  name: string;
  type: number;
  /** All of the record in wire format. */
  bytes: Uint8Array;
  /** RDATA. */
  data: Uint8Array;
}

const RECURSION_DESIRED = 0x01;
/** Header, third byte: a response to an ordinary query that was not cut. */
const RESPONSE_MASK = 0xfa;
const RESPONSE = 0x80;
const CODE_MASK = 0x0f;
const HEADER_BYTES = 12;
const CLASS_IN = 1;
const OPT = 41;
/** EDNS(0) (RFC 6891): what may be sent over UDP; over TCP and HTTPS it does not count. */
const PAYLOAD_BYTES = 4096;
const DNSSEC_OK = 0x80;
const MAX_NAME_BYTES = 255;
const MAX_LABEL_BYTES = 63;
/** Two bits in front of a place where a name goes on (RFC 1035 4.1.4). */
const POINTER = 0xc0;
/** Type, class, TTL and length. */
const HEAD_BYTES = 10;

/** A name as text in wire format, bytes as Latin-1. */
export function wireName(domain: string): string {
  const labels = domain === '' ? [] : domain.split('.');
  return `${labels.map((label) => String.fromCharCode(label.length) + label).join('')}\0`;
}

/** A question for all records of one name and type, with what signs them: the DO bit (RFC 3225). Its id is 0. */
export function writeQuestion(name: string, type: number): Uint8Array {
  const question = Uint8Array.from(name, (character) => character.charCodeAt(0));
  const bytes = new Uint8Array(HEADER_BYTES + question.length + 4 + 11);
  const view = new DataView(bytes.buffer);
  bytes[2] = RECURSION_DESIRED;
  view.setUint16(4, 1);
  view.setUint16(10, 1);
  bytes.set(question, HEADER_BYTES);
  const behind = HEADER_BYTES + question.length;
  view.setUint16(behind, type);
  view.setUint16(behind + 2, CLASS_IN);
  // The OPT record stands at the root, whose name is one zero.
  view.setUint16(behind + 5, OPT);
  view.setUint16(behind + 7, PAYLOAD_BYTES);
  bytes[behind + 11] = DNSSEC_OK;
  return bytes;
}

/**
 * The records of answer and authority in a reply to such a question, of the types that a chain has.
 * @throws PlatformUnavailableError if it is no reply to that question, was cut, or says that there is none
 */
export function readReply(reply: Uint8Array, name: string, type: number): WireRecord[] {
  if (reply.length < HEADER_BYTES) throw noAnswer();
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength);
  const [questions, answers, authority] = [4, 6, 8].map((place) => view.getUint16(place)) as [number, number, number];
  const isReply = (reply[2]! & RESPONSE_MASK) === RESPONSE && (reply[3]! & CODE_MASK) === 0 && questions === 1;
  if (!isReply || answers + authority > MAX_RECORDS) throw noAnswer();
  const asked = readName(reply, HEADER_BYTES);
  if (asked.name !== name || asked.end + 4 > reply.length || view.getUint16(asked.end) !== type) throw noAnswer();
  const records: WireRecord[] = [];
  let at = asked.end + 4;
  for (let left = answers + authority; left > 0; left -= 1) {
    const { record, end } = readRecord(reply, view, at);
    if (record) records.push(record);
    at = end;
  }
  return records;
}

/** The name of the zone that made an RRSIG, and the type that it covers; null for what is no RRSIG. */
export function signatureOf({ type, data }: WireRecord): { covered: number; signer: string } | null {
  if (type !== TYPES.RRSIG || data.length < 19) return null;
  return { covered: data[0]! * 256 + data[1]!, signer: readName(data, 18).name };
}

/** Types whose RDATA is taken as it is: names in it are never compressed (RFC 3597 4), but for a CNAME. */
const TAKEN: readonly number[] = Object.values(TYPES);

function readRecord(reply: Uint8Array, view: DataView, start: number): { record: WireRecord | null; end: number } {
  const { name, end: at } = readName(reply, start);
  if (at + HEAD_BYTES > reply.length) throw noAnswer();
  const type = view.getUint16(at);
  const end = at + HEAD_BYTES + view.getUint16(at + 8);
  if (end > reply.length) throw noAnswer();
  if (!TAKEN.includes(type) || view.getUint16(at + 2) !== CLASS_IN) return { record: null, end };
  const given = reply.slice(at + HEAD_BYTES, end);
  const data = type === TYPES.CNAME ? latin1(readName(reply, at + HEAD_BYTES).name) : given;
  const bytes = new Uint8Array(name.length + HEAD_BYTES + data.length);
  bytes.set(latin1(name));
  bytes.set(reply.subarray(at, at + HEAD_BYTES), name.length);
  new DataView(bytes.buffer).setUint16(name.length + 8, data.length);
  bytes.set(data, name.length + HEAD_BYTES);
  return { record: { name, type, bytes, data }, end };
}

/** A name that may go on elsewhere, always further to the front, so that it ends. */
function readName(bytes: Uint8Array, start: number): { name: string; end: number } {
  let [name, at, end, before] = ['', start, -1, start];
  while (name.length < MAX_NAME_BYTES) {
    const length = bytes[at];
    if (length === undefined) break;
    if (length === 0) return { name: `${name}\0`, end: end < 0 ? at + 1 : end };
    if (length >= POINTER) {
      const target = ((length & ~POINTER) << 8) | (bytes[at + 1] ?? 0);
      if (at + 1 >= bytes.length || target >= before) break;
      if (end < 0) end = at + 2;
      [at, before] = [target, target];
      continue;
    }
    if (length > MAX_LABEL_BYTES || at + 1 + length > bytes.length) break;
    const label = String.fromCharCode(...bytes.subarray(at + 1, at + 1 + length));
    name += String.fromCharCode(length) + label.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    at += 1 + length;
  }
  throw noAnswer();
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
