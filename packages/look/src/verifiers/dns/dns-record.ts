import { unixSecondsText } from '../../unix-time.js';
import type { ProofDraft } from '../../platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from '../../platform-verifier.js';

const MAX_RECORD_CHARACTERS = 4096; // ours has at most 254

/** A TXT record of ours, as read. */
export interface ProofRecord {
  /** The record without quotes, backslashes and blanks. */
  text: string;
  /** Lowercase. */
  uuid: string;
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
 * Reads a TXT record if it is one of ours: `ps` is true, `v` is 1, `sig` and `uuid` are there. Any order, unknown keys
 * and a final `;` are allowed. Quotes, backslashes and blanks, which no field holds, are dropped: hosting panels add
 * them.
 */
export function readProofRecord(record: string): ProofRecord | null {
  if (record.length > MAX_RECORD_CHARACTERS) return null;
  const text = record.replace(/["\\\s]/g, '');
  const fields = new Map<string, string>();
  for (const part of text.split(';')) {
    const colon = part.indexOf(':');
    if (colon > 0) fields.set(part.slice(0, colon).toLowerCase(), part.slice(colon + 1));
  }
  const uuid = fields.get('uuid')?.toLowerCase();
  const isOurs = fields.get('ps')?.toLowerCase() === 'true' && fields.get('v') === '1' && fields.get('sig');
  return isOurs && uuid ? { text, uuid } : null;
}
