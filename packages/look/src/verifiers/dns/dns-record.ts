import { unixSecondsText } from '../../unix-time.js';
import type { ProofDraft } from '../../platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from '../../platform-verifier.js';

const MAX_RECORD_CHARACTERS = 4096; // ours has at most 254

/** `name 300 IN TXT` of a line of a zone file that was pasted as a whole. */
const ZONE_FILE_START = /^.*\bIN\s+TXT\s+/i;
/** What no field holds: quotes, straight and typographic, backslashes, blanks, and marks that cannot be seen. */
const NOT_IN_A_FIELD = /["'`“”„‘’«»\\\s\u00ad\u200b-\u200f\u202a-\u202e\u2060]/g;

/** A TXT record of ours, as read. */
export interface ProofRecord {
  /** The record without quotes, backslashes and blanks. */
  text: string;
  /** Lowercase. */
  uuid: string;
  /** The field of the signature, as it stands in `text`. */
  sig: string;
}

/**
 * The TXT record to publish: `ps:true;v:1;sig:<Base64>;ca:<unix seconds>;uuid:<uuid>;prev:<Base64 or null>`. With the
 * longest signatures it has 254 bytes, and one string of a TXT record holds 255; another field would split it.
 */
export function writeProofRecord(draft: ProofDraft): string {
  const { uuid, createdAt, previous } = draft;
  return `ps:true;v:1;sig:${SIGNATURE_PLACEHOLDER};ca:${unixSecondsText(createdAt)};uuid:${uuid};prev:${previous ?? 'null'}`;
}

/**
 * Reads a TXT record (bytes as Latin-1) if it is one of ours: `ps` is true, `v` is 1, `sig` and `uuid` are there. Any
 * order, unknown keys and a final `;` are allowed, and what `cleanRecord` drops.
 */
export function readProofRecord(record: string): ProofRecord | null {
  if (record.length > MAX_RECORD_CHARACTERS) return null;
  const text = cleanRecord(record);
  const fields = new Map<string, string>();
  for (const part of text.split(';')) {
    const colon = part.indexOf(':');
    if (colon > 0) fields.set(part.slice(0, colon).toLowerCase(), part.slice(colon + 1));
  }
  const uuid = fields.get('uuid')?.toLowerCase();
  const sig = fields.get('sig');
  const isOurs = fields.get('ps')?.toLowerCase() === 'true' && fields.get('v') === '1';
  return isOurs && sig && uuid ? { text, uuid, sig } : null;
}

/**
 * A record without what hosting panels and editors add: quotes, backslashes, blanks of any kind, decimal escapes
 * (`\\059`) and percent-encoding that were taken literally, and the start of a line of a zone file.
 */
export function cleanRecord(record: string): string {
  const written = fromLatin1(record)
    .replace(ZONE_FILE_START, '')
    .replace(/\\(\d{3})/g, (_escape, code: string) => String.fromCharCode(Number(code)))
    .replace(NOT_IN_A_FIELD, '');
  return /^ps%3a/i.test(written)
    ? written.replace(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : written;
}

/** The text whose bytes in UTF-8 these are; the text itself where they are not UTF-8. */
function fromLatin1(text: string): string {
  if ([...text].some((character) => character > '\xff')) return text;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}
