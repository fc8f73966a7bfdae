import { decode, encode, RECURSION_AVAILABLE, type Answer, type DecodedPacket, TRUNCATED_RESPONSE } from 'dns-packet';
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { wire, wireBytes, type WireRecord, type ZoneAnswer } from '../../../verify/test/support/signed-zones.js';
import type { PlainReply } from './stand-in-server.js';

/** RFC 1035 4.1.1. */
const CODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** What the stand-in says about a name. */
interface DnsReply {
  /** Default NOERROR; without records that is NODATA. */
  code?: keyof typeof CODES;
  answers?: Answer[];
  /** Only over UDP: sets the TC bit and sends no records, so that the client has to come back over TCP. */
  truncated?: boolean;
  /** Bits to set beside RA, or `flags: 0` with `isRecursive: false` for a bare referral. */
  flags?: number;
  isRecursive?: boolean;
  /** Another question than the one that was asked. */
  question?: string;
  /** Another id than that of the query. */
  id?: number;
}

/** What signed zones have (`resolve` of signed-zones.ts); types of DNSSEC are sent to those who ask for them. */
interface ZoneReply {
  zones: ZoneAnswer;
}

/** Bytes are sent as they are; `silence` sends nothing. */
export type DnsAnswer = DnsReply | ZoneReply | Uint8Array | 'silence';

export interface DnsQuery {
  name: string;
  type: string;
  transport: 'udp' | 'tcp' | 'https';
}

export type DnsHandler = (query: DnsQuery) => DnsAnswer;

/** A running server on one port of 127.0.0.1, over UDP and TCP. */
export interface DnsStandIn {
  /** `127.0.0.1:<port>`, as DNS_SERVERS takes it. */
  address: string;
  /** All queries so far, oldest first. */
  queries: DnsQuery[];
  /** Takes effect from the next query on. */
  handle(handler: DnsHandler): void;
  close(): Promise<void>;
}

/** A TXT record of one or more strings. */
export function txt(name: string, ...strings: string[]): Answer {
  return { type: 'TXT', name, ttl: 60, data: strings };
}

export function cname(name: string, target: string): Answer {
  return { type: 'CNAME', name, ttl: 60, data: target };
}

/** The wire format of the reply to `query`, or null for silence. */
export function dnsReplyBytes(query: Uint8Array, transport: DnsQuery['transport'], handler: DnsHandler): Buffer | null {
  const asked = decode(Buffer.from(query));
  const answer = handler(queryOf(asked, transport));
  if (answer === 'silence') return null;
  if (answer instanceof Uint8Array) return Buffer.from(answer);
  if ('zones' in answer) return zoneReply(Buffer.from(query), asked, answer.zones, transport);
  const { code = 'NOERROR', answers = [], truncated = false, flags = 0, isRecursive = true, question, id } = answer;
  const isCut = truncated && transport === 'udp';
  const questions = asked.questions!.map((original) =>
    question === undefined ? original : { ...original, name: question },
  );
  return encode({
    type: 'response',
    id: id ?? asked.id!,
    flags: CODES[code] | flags | (isRecursive ? RECURSION_AVAILABLE : 0) | (isCut ? TRUNCATED_RESPONSE : 0),
    questions,
    answers: isCut ? [] : answers,
  });
}

/** A message of records as they are, the owner that was asked for by a pointer, as servers write it. */
function zoneReply(query: Buffer, asked: DecodedPacket, zones: ZoneAnswer, transport: DnsQuery['transport']): Buffer {
  const [question] = asked.questions!;
  const wantsAll = asked.additionals?.some((one) => one.type === 'OPT' && one.flag_do) ?? false;
  const isWanted = ({ type }: WireRecord) => wantsAll || type === 5 || type === 16;
  const sections = [zones.answers.filter(isWanted), zones.authority.filter(isWanted)];
  const records = sections.flat().map((one) => {
    const bytes = wireBytes(one);
    return one.name === question!.name
      ? Buffer.concat([Buffer.of(0xc0, 12), bytes.subarray(one.name.length + 2)])
      : bytes;
  });
  const head = Buffer.alloc(12);
  head.writeUInt16BE(asked.id!, 0);
  head.writeUInt16BE(0x8180 | (zones.exists ? 0 : CODES.NXDOMAIN), 2);
  head.writeUInt16BE(1, 4);
  const end = 12 + wire(question!.name === '.' ? '' : question!.name).length + 4;
  const body = Buffer.concat(records);
  if (transport === 'udp' && end + body.length > 1200) {
    head.writeUInt16BE(0x8380, 2);
    return Buffer.concat([head, query.subarray(12, end)]);
  }
  sections.forEach((section, at) => head.writeUInt16BE(section.length, 6 + 2 * at));
  return Buffer.concat([head, query.subarray(12, end), body]);
}

/** The reply in wire format as Cloudflare's resolver writes it in JSON; what is no reply becomes no JSON either. */
export function dnsJsonReply(wire: Buffer): PlainReply {
  const headers = { 'content-type': 'application/dns-json' };
  let packet: DecodedPacket;
  try {
    packet = decode(wire);
  } catch {
    return { text: wire.toString('latin1'), headers };
  }
  const body = {
    Status: packet.flags! & 0xf,
    ...{ TC: packet.flag_tc, RD: packet.flag_rd, RA: packet.flag_ra, AD: packet.flag_ad, CD: packet.flag_cd },
    Question: packet.questions!.map(({ name, type }) => ({ name, type: TYPE_CODES[type] })),
    Answer: packet.answers!.map((record) => ({ name: record.name, type: TYPE_CODES[record.type], ...dataOf(record) })),
  };
  return { text: JSON.stringify(body), headers };
}

const TYPE_CODES: Record<string, number> = { CNAME: 5, TXT: 16 };

/** The strings of a TXT record in quotes, as in a zone file (RFC 1035 5.1). */
function dataOf(record: Answer): { data?: string } {
  if (record.type === 'CNAME') return { data: record.data };
  if (record.type !== 'TXT') return {};
  const strings = [record.data].flat().map((part) => part.toString('latin1').replace(/["\\]/g, '\\$&'));
  return { data: strings.map((part) => `"${part}"`).join(' ') };
}

/** Starts a DNS server on a free port of 127.0.0.1 that answers with `handler`. */
export async function startDnsStandIn(handler: DnsHandler): Promise<DnsStandIn> {
  const queries: DnsQuery[] = [];
  let current = handler;
  const answer = (bytes: Uint8Array, transport: 'udp' | 'tcp') =>
    dnsReplyBytes(bytes, transport, (query) => {
      queries.push(query);
      return current(query);
    });

  const tcp = createServer();
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    onFrames(socket, (bytes) => {
      const reply = answer(bytes, 'tcp');
      if (reply) socket.write(Buffer.concat([lengthOf(reply), reply]));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;

  const udp = createSocket('udp4');
  udp.on('message', (bytes, peer) => {
    const reply = answer(bytes, 'udp');
    if (reply) udp.send(reply, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));

  return {
    address: `127.0.0.1:${port}`,
    queries,
    handle: (next) => {
      current = next;
    },
    close: async () => {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

function queryOf(packet: DecodedPacket, transport: DnsQuery['transport']): DnsQuery {
  const [question] = packet.questions!;
  return { name: question!.name, type: question!.type, transport };
}

/** DNS over TCP puts two bytes of length before each message (RFC 1035 4.2.2). */
function onFrames(socket: Socket, take: (bytes: Buffer) => void): void {
  let buffered = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= 2 && buffered.length >= 2 + buffered.readUInt16BE(0)) {
      const end = 2 + buffered.readUInt16BE(0);
      take(buffered.subarray(2, end));
      buffered = buffered.subarray(end);
    }
  });
}

function lengthOf(message: Buffer): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(message.length);
  return bytes;
}
