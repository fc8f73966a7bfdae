/**
 * The event that a key of Nostr signs in place of a text (NIP-01). Everything of it but the signature follows from the
 * text and the key, so a link keeps the signature alone. It is sent to no relay.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Bip340 } from '../keys/curves.js';
import { decodeNpub } from '../keys/npub.js';
import { decodeBase64, decodeHex, encodeHex, equalBytes, utf8 } from '../text/encoding.js';
import { UNIX_TEXT_PATTERN } from '../text/payload-text.js';
import { isObject, parseObject } from '../text/signed-text.js';

/**
 * The kind of these events, in the range of those that relays do not keep (20000 to 29999), and of nothing else:
 * programs remember "always allow" by kind, so a kind that sites are used to would be signed without a question.
 */
export const NOSTR_KIND = 26743;

const SIGNATURE_BYTES = 64;
/** The longest form is 130 characters. */
const MAX_SIGNATURE_TEXT = 256;
/** What NIP-01 escapes in a content; everything else stands as it is. */
const ESCAPED = /[\n"\\\r\t\b\f]/g;
const ESCAPES: Record<string, string> = {
  '\n': '\\n',
  '"': '\\"',
  '\\': '\\\\',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** An event before it is signed, as `signEvent` of NIP-07 takes it. */
export interface NostrTemplate {
  kind: number;
  /** UNIX seconds. */
  created_at: number;
  tags: string[][];
  content: string;
}

/**
 * The event that stands for a signed text: the text is its content, and the time in the text is its time. It has no
 * tags.
 * @returns null for a text that has no `created_at` of UNIX seconds in decimal, as no payload is
 */
export function nostrTemplate(text: string): NostrTemplate | null {
  const createdAt = parseObject(text)?.['created_at'];
  if (typeof createdAt !== 'string' || !UNIX_TEXT_PATTERN.test(createdAt)) return null;
  return { kind: NOSTR_KIND, created_at: Number(createdAt), tags: [], content: text };
}

/** The id of that event for a key of 32 bytes: 32 bytes, which the key signs; null where the text has none. */
export function nostrEventId(text: string, key: Uint8Array): Uint8Array | null {
  const template = nostrTemplate(text);
  if (!template) return null;
  const { created_at, kind, content } = template;
  const escaped = content.replace(ESCAPED, (letter) => ESCAPES[letter]!);
  return sha256(utf8(`[0,"${encodeHex(key)}",${created_at},${kind},[],"${escaped}"]`));
}

/** The 64 bytes of a signature in padded Base64, or in hex with or without `0x`; null for anything else. */
export function decodeNostrSignature(text: string): Uint8Array | null {
  if (text.length > MAX_SIGNATURE_TEXT) return null;
  const readings = [decodeBase64(text), decodeHex(text.replace(/^0x/, ''))];
  return readings.find((bytes) => bytes?.length === SIGNATURE_BYTES) ?? null;
}

/** Whether the key of an `npub` signed the event of a text. */
export function nostrSigned(text: string, signature: Uint8Array, npub: string, { verify }: Bip340): boolean {
  const key = decodeNpub(npub);
  const id = key && nostrEventId(text, key);
  return id !== null && verify(id, signature, key!);
}

/**
 * The signature of an event that a program of Nostr made for a text, or why that event does not serve, as a sentence.
 * Whether the key made the signature is not looked at.
 */
export function signatureOfEvent(event: unknown, text: string, npub: string): Uint8Array | string {
  const [key, template] = [decodeNpub(npub), nostrTemplate(text)];
  const id = key && nostrEventId(text, key);
  if (!isObject(event) || !id || !template) return 'It is not an event of Nostr.';
  const { tags, sig } = event;
  if (event['pubkey'] !== encodeHex(key)) return `Another key signed it than ${npub}.`;
  if (event['kind'] !== template.kind) return `Its kind has to be ${template.kind}.`;
  if (event['created_at'] !== template.created_at) return `Its created_at has to be ${template.created_at}.`;
  if (!Array.isArray(tags) || tags.length > 0) return 'It has to be without tags.';
  if (event['content'] !== text) return 'Its content is not exactly sign_payload.';
  const written = typeof event['id'] === 'string' ? decodeHex(event['id']) : null;
  if (!written || !equalBytes(written, id)) return 'Its id is not the hash of what it says.';
  const signature = typeof sig === 'string' ? decodeHex(sig) : null;
  return signature?.length === SIGNATURE_BYTES ? signature : 'Its sig is not 64 bytes in hex.';
}
