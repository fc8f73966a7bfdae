/** The head of a log that it signs (C2SP tlog-checkpoint 1.0). */
import { decodeBase64, encodeBase64 } from '../text/encoding.js';
import { readNote, type SignedNote } from './note.js';
import { HASH_BYTES } from './tree.js';

/** What a log commits to. */
export interface TreeHead {
  /** The name of the log for good; a URL without scheme is advised. */
  origin: string;
  size: number;
  /** 32 bytes. */
  root: Uint8Array;
}

/** A checkpoint, read but not verified. */
export interface Checkpoint extends TreeHead {
  /** Lines behind the root; a log of Signet has none. */
  extensions: string[];
  note: SignedNote;
}

/** The text that a log signs: origin, size and Base64 of the root, a line each. */
export function checkpointText({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/** Reads a signed checkpoint strictly; null for anything else. Says nothing of its signatures. */
export function readCheckpoint(text: string): Checkpoint | null {
  const note = readNote(text);
  const [origin, digits, base64, ...extensions] = note?.text.slice(0, -1).split('\n') ?? [];
  const root = decodeBase64(base64 ?? '');
  const size = Number(digits);
  const isRead = note && origin && /^(?:0|[1-9]\d*)$/.test(digits ?? '') && Number.isSafeInteger(size);
  if (!isRead || root?.length !== HASH_BYTES || extensions.includes('')) return null;
  return { origin, size, root, extensions, note };
}
