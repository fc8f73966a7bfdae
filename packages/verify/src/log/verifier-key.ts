/** Keys of logs and witnesses as text (C2SP signed-note 1.0, Verifier keys). */
import { sha256 } from '@noble/hashes/sha2.js';
import type { WithEd25519 } from '../keys/curves.js';
import { ed25519Of } from '../keys/noble-ed25519.js';
import { decodeBase64, encodeBase64, encodeHex, utf8 } from '../text/encoding.js';

/** Ed25519 over the text of the note: what logs sign with. */
export const ED25519_KEY = 1;
/** Ed25519 over the text and a time, `cosignature/v1`: what witnesses sign with. */
export const COSIGNATURE_KEY = 4;

/** Ed25519 over what was seen and a time, `signet-seen/v1`: what observers sign with, and nothing else. */
export const SEEN_KEY = 0xff;

/** What signs notes under a name. */
export interface VerifierKey {
  /** Not empty, without white space and `+`; of a log usually its origin. */
  name: string;
  /** Eight hex digits: the beginning of a hash over name, type and key. */
  id: string;
  /** `ED25519_KEY`, `COSIGNATURE_KEY` or `SEEN_KEY`. */
  type: number;
  /** 32 bytes. */
  publicKey: Uint8Array;
}

/**
 * What stands before the 32 bytes of a key, by its type. Behind 0xff signed-note wants a name of one's own choice: ours
 * ends with a zero byte.
 */
const PREFIXES = new Map(
  [[ED25519_KEY], [COSIGNATURE_KEY], [SEEN_KEY, ...utf8('signet-seen/v1'), 0]].map((bytes) => [bytes[0]!, bytes]),
);

/** True for a text that may be the name of a key. */
export function isKeyName(name: string): boolean {
  // One or more characters that are neither `+`, nor white space, control characters or half of a surrogate pair.
  return /^[^\p{White_Space}+\p{Cc}\p{Surrogate}]+$/u.test(name);
}

/**
 * A key from its parts.
 * @throws TypeError for another type, another length or a text that cannot be a name
 */
export function verifierKey(name: string, type: number, publicKey: Uint8Array): VerifierKey {
  const prefix = prefixOf(type);
  if (publicKey.length !== 32) throw new TypeError('An Ed25519 key has 32 bytes.');
  if (!isKeyName(name)) throw new TypeError('The name of a key is not empty and holds no white space and no +.');
  const id = encodeHex(sha256(Uint8Array.of(...utf8(name), 10, ...prefix, ...publicKey)).subarray(0, 4));
  return { name, id, type, publicKey };
}

/** Reads the verifier key of a log as `readVerifierKey` does; null for the key of a witness or an observer too. */
export function readLogKey(text: string, options: WithEd25519 = {}): VerifierKey | null {
  const key = readVerifierKey(text, options);
  return key?.type === ED25519_KEY ? key : null;
}

/** `<name>+<id>+<Base64 of type and key>`. @throws TypeError for another type */
export function writeVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${encodeBase64(Uint8Array.of(...prefixOf(type), ...publicKey))}`;
}

/**
 * Reads a verifier key, `<name>+<id>+<Base64>`: a key of Ed25519, for checkpoints, cosignatures or what was seen; null
 * for other types, for an id that does not fit, and for bytes that are not a usable key.
 */
export function readVerifierKey(text: string, options: WithEd25519 = {}): VerifierKey | null {
  // The name, the id and the rest, which is Base64 and may hold a `+` itself.
  const [, name, id, base64] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = decodeBase64(base64 ?? '');
  const prefix = PREFIXES.get(bytes?.[0] ?? 0);
  if (!bytes || !prefix || bytes.length !== prefix.length + 32 || !isKeyName(name!)) return null;
  if (!prefix.every((byte, place) => byte === bytes[place])) return null;
  const key = verifierKey(name!, bytes[0]!, bytes.subarray(prefix.length));
  return key.id === id && ed25519Of(options).isUsablePublicKey(key.publicKey) ? key : null;
}

function prefixOf(type: number): number[] {
  const prefix = PREFIXES.get(type);
  if (!prefix) throw new TypeError(`A key of type ${type} is not known here.`);
  return prefix;
}
