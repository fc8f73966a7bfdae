import type { DecodedPacket } from 'dns-packet';
import { decode, encode } from 'dns-packet';
import { type AnswerRecord, MAX_RECORDS, noAnswer, textsOf } from './dns-answers.js';

/** RFC 1035 4.1.1 and 4.1.2, bits and codes that `dns-packet` does not name. */
const RECURSION_DESIRED = 0x0100;
const OPCODE_MASK = 0x7800; // all zero: an ordinary query
const NO_ERROR = 0;
const NAME_ERROR = 3; // NXDOMAIN

const HEADER_BYTES = 12;
/** Sent in EDNS(0), so that a server in front of an ordinary resolver does not cut the answer at 512 bytes. */
const EDNS_PAYLOAD_BYTES = 4096;

/** The query for the TXT records of `domain` in wire format (RFC 1035). Its id is 0, as RFC 8484 4.1 asks. */
export function writeTxtQuery(domain: string): Uint8Array {
  return encode({
    type: 'query',
    id: 0,
    flags: RECURSION_DESIRED,
    questions: [{ type: 'TXT', class: 'IN', name: domain }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: EDNS_PAYLOAD_BYTES,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
}

/**
 * The TXT records of `domain` in a reply to `writeTxtQuery`, one text per record: its strings joined with nothing
 * between them, bytes as Latin-1. Aliases (CNAME) in the reply are followed. Empty if the name or the record does not
 * exist.
 * @throws PlatformUnavailableError if the reply proves nothing: cut, broken, about something else, a failure of the
 *   resolver.
 */
export function readTxtReply(reply: Uint8Array, domain: string): string[] {
  const packet = decodeReply(reply);
  const code = responseCode(packet);
  const isAnswer =
    packet.flag_qr &&
    !packet.flag_tc &&
    packet.id === 0 &&
    (packet.flags! & OPCODE_MASK) === 0 &&
    asksFor(packet, domain);
  if (!isAnswer || (code !== NO_ERROR && code !== NAME_ERROR)) throw noAnswer();
  const records = code === NO_ERROR ? textsOf(answersOf(packet), domain) : [];
  // Without recursion and without authority, an empty reply is a referral to other servers.
  if (records.length === 0 && !packet.flag_ra && !packet.flag_aa) throw noAnswer();
  return records;
}

function decodeReply(reply: Uint8Array): DecodedPacket {
  const bytes = Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength);
  if (bytes.length < HEADER_BYTES) throw noAnswer();
  const records = [4, 6, 8, 10].reduce((sum, offset) => sum + bytes.readUInt16BE(offset), 0);
  if (records > MAX_RECORDS) throw noAnswer();
  let packet: DecodedPacket;
  try {
    packet = decode(bytes);
  } catch (error) {
    throw noAnswer(error);
  }
  // The decoder reads past the end of a record that is cut; the number of bytes it used then shows it.
  if (decode.bytes !== bytes.length) throw noAnswer();
  return packet;
}

/** The code of the header with the upper bits that EDNS(0) keeps elsewhere (RFC 6891 6.1.3). */
function responseCode(packet: DecodedPacket): number {
  const option = packet.additionals?.find((record) => record.type === 'OPT');
  return (packet.flags! & 0xf) | ((option?.extendedRcode ?? 0) << 4);
}

function asksFor(packet: DecodedPacket, domain: string): boolean {
  const [question, ...others] = packet.questions ?? [];
  return (
    others.length === 0 && question?.type === 'TXT' && question.class === 'IN' && question.name.toLowerCase() === domain
  );
}

/** The records that count, in the form that every format of reply is read into. */
function answersOf({ answers = [] }: DecodedPacket): AnswerRecord[] {
  return answers.flatMap((record): AnswerRecord[] => {
    if (record.type === 'CNAME') return [{ type: 'CNAME', name: record.name, data: record.data }];
    return record.type === 'TXT' ? [{ type: 'TXT', name: record.name, data: joined(record.data) }] : [];
  });
}

function joined(strings: string | Buffer | (string | Buffer)[]): string {
  return [strings]
    .flat()
    .map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
    .join('');
}
