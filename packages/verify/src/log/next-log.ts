/**
 * The note by which the key of a log that has ended names the next one, so that who holds a receipt of it knows where
 * the record is now. It is a signed note (C2SP signed-note) whose first line names its format, and is no origin.
 */
import type { WithEd25519 } from '../keys/curves.js';
import { isSignedBy, readNote } from './note.js';
import { ED25519_KEY, readLogKey, type VerifierKey } from './verifier-key.js';

/** What such a note says. */
export interface NextLog {
  /** The origin of the log that has ended. */
  log: string;
  /** The verifier key of the next one, `<origin>+<id>+<Base64>`. */
  next: string;
  /** UNIX seconds at which it was said. */
  time: number;
}

const FORMAT = 'signet-next-log/1';
const FORM = /^signet-next-log\/1\nlog ([^\n]+)\nnext ([^\n]+)\ntime (0|[1-9]\d{0,15})\n$/;

/** The text that the key of the old log signs. */
export function nextLogText({ log, next, time }: NextLog): string {
  return `${FORMAT}\nlog ${log}\nnext ${next}\ntime ${time}\n`;
}

/**
 * Reads the note of a log that has ended, which names the next one: what it says where `key` signed it; null for
 * anything else: for the key of a witness or an observer, for a note of another log than its key, and for one that
 * names no key of another log.
 */
export function readNextLog(text: string, key: VerifierKey, options: WithEd25519 = {}): NextLog | null {
  const note = readNote(text);
  const [, log, next, seconds] = FORM.exec(note?.text ?? '') ?? [];
  const time = Number(seconds);
  if (!note || log !== key.name || key.type !== ED25519_KEY || !Number.isSafeInteger(time)) return null;
  const named = readLogKey(next!, options);
  return named && named.name !== log && isSignedBy(note, key, options) ? { log, next: next!, time } : null;
}
