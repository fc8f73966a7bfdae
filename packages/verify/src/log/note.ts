/** Signed notes: a text and lines of signatures below it (C2SP signed-note 1.0). */
import type { WithEd25519 } from '../keys/curves.js';
import { ed25519Of } from '../keys/noble-ed25519.js';
import { decodeBase64, encodeBase64, encodeHex, utf8 } from '../text/encoding.js';
import { COSIGNATURE_KEY, ED25519_KEY, isKeyName, type VerifierKey } from './verifier-key.js';

/** One line of signatures. */
export interface NoteSignature {
  name: string;
  /** Eight hex digits, as in `VerifierKey`. */
  keyId: string;
  /** What follows the id of the key. */
  signature: Uint8Array;
  /** The line itself, without its line break. */
  line: string;
}

/** A note, read but not verified. */
export interface SignedNote {
  /** What was signed, up to and including its last line break. */
  text: string;
  signatures: NoteSignature[];
}

/**
 * A longer note is refused unread. signed-note asks for a limit of the size or of the number of lines that leaves room
 * for 16 signatures of up to 5 kB each. Lines are not counted: some short lines, which a server stored for a stranger,
 * would make a note unreadable.
 */
const MAX_NOTE_CHARACTERS = 128 * 1024;
const TIME_BYTES = 8;

const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([^ ]+)$/;

/** Reads a note strictly; null for anything else. Says nothing of its signatures. */
export function readNote(note: string): SignedNote | null {
  // Control characters but the line break, and half surrogate pairs, which have no UTF-8 form.
  if (note.length > MAX_NOTE_CHARACTERS || /[^\P{Cc}\n\u007f-\u009f]|\p{Surrogate}/u.test(note)) return null;
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map(readSignatureLine);
  return signatures.every((signature) => signature !== null) ? { text: note.slice(0, end + 1), signatures } : null;
}

/** Reads `— <name> <Base64 of the id of the key and the signature>`; null for anything else. */
export function readSignatureLine(line: string): NoteSignature | null {
  const [, name, base64] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = decodeBase64(base64 ?? '');
  if (name === undefined || !isKeyName(name) || !bytes || bytes.length < 5) return null;
  return { name, keyId: encodeHex(bytes.subarray(0, 4)), signature: bytes.subarray(4), line };
}

/** The line of a signature, with its line break. */
export function writeSignatureLine({ name, id }: VerifierKey, signature: Uint8Array): string {
  const keyId = id.match(/../g)!.map((digits) => parseInt(digits, 16));
  return `\u2014 ${name} ${encodeBase64(Uint8Array.of(...keyId, ...signature))}\n`;
}

/**
 * A note with more signatures below. A line replaces the one of the same key; lines come with or without their line
 * break.
 */
export function appendSignatures(note: string, lines: readonly string[]): string {
  const end = note.lastIndexOf('\n\n') + 2;
  const byKey = new Map<string, string>();
  for (const line of [...note.slice(end).split('\n'), ...lines.map((added) => added.replace(/\n$/, ''))]) {
    const read = readSignatureLine(line);
    if (read) byKey.set(`${read.name} ${read.keyId}`, line);
  }
  return `${note.slice(0, end)}${[...byKey.values()].map((line) => `${line}\n`).join('')}`;
}

/**
 * True if the note carries a signature of this key. Lines of other keys do not matter, not even under the same name.
 * Verifies one signature at most.
 */
export function isSignedBy(note: SignedNote, key: VerifierKey, options: WithEd25519 = {}): boolean {
  if (key.type === COSIGNATURE_KEY) return cosignatureTime(note, key, options) !== null;
  const signature = key.type === ED25519_KEY ? onlyLineOf(note, key)?.signature : undefined;
  return signature?.length === 64 && ed25519Of(options).verify(utf8(note.text), signature, key.publicKey);
}

/**
 * Returns when a witness signed this checkpoint (C2SP tlog-cosignature 1.0, Ed25519), in UNIX seconds; null if its line
 * is missing or does not verify. Verifies one signature at most.
 */
export function cosignatureTime(note: SignedNote, key: VerifierKey, options: WithEd25519 = {}): number | null {
  return key.type === COSIGNATURE_KEY ? signedTime(note, key, cosignedMessage, options) : null;
}

/**
 * Returns the time in the line of a key that signs a text together with a time (8 bytes, big-endian, then Ed25519 over
 * `messageOf` both), in UNIX seconds; null if its line is missing or does not verify. Verifies one signature at most.
 */
export function signedTime(
  note: SignedNote,
  key: VerifierKey,
  messageOf: (text: string, time: number) => Uint8Array,
  options: WithEd25519,
): number | null {
  const time = claimedTime(note, key);
  if (time === null) return null;
  const signature = onlyLineOf(note, key)!.signature.subarray(TIME_BYTES);
  return ed25519Of(options).verify(messageOf(note.text, time), signature, key.publicKey) ? time : null;
}

/** The time that stands in the line of such a key, in UNIX seconds, unverified; null if there is no such line. */
export function claimedTime(note: SignedNote, key: VerifierKey): number | null {
  const signature = onlyLineOf(note, key)?.signature;
  if (signature?.length !== TIME_BYTES + 64) return null;
  const time = signature.subarray(0, TIME_BYTES).reduce((total, byte) => total * 256 + byte, 0);
  return Number.isSafeInteger(time) ? time : null;
}

/** What a witness signs: a header, the time in UNIX seconds and the text of the checkpoint. */
export function cosignedMessage(text: string, time: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${text}`);
}

/**
 * Returns the line of a key; null if there is none, or if there are two that differ. A key signs a note once: copies of
 * its line say nothing more, and of two lines that differ one is wrong or of another time. So a note costs one
 * verification for each key at most. signed-note leaves it open what two lines of one key mean.
 */
function onlyLineOf({ signatures }: SignedNote, key: VerifierKey): NoteSignature | null {
  const [first, ...more] = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id);
  return first && more.every(({ line }) => line === first.line) ? first : null;
}
