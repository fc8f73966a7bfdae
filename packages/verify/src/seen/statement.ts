/**
 * Statements of observers: one text for what was seen of a binding, and below it a line for each server that saw it
 * with its own readers, with its time. It is a signed note (C2SP signed-note) whose first line names its format, and is
 * no origin.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { WithEd25519 } from '../keys/curves.js';
import { isPlatformName } from '../names/platform-name.js';
import { encodeHex, utf8 } from '../text/encoding.js';
import { readNote, signedTime, type SignedNote } from '../log/note.js';
import { SEEN_KEY, type VerifierKey } from '../log/verifier-key.js';

/** What was seen of one binding. */
export interface Statement {
  /** Hex SHA-256 of the text that the link signs: see `linkHash`. */
  link: string;
  platform: string;
  /** Canonical identity. */
  identity: string;
  /** The platform's stable id of the account; null where it has none, or where none was seen. */
  account: string | null;
  /** Whether what proves the link was there. "Could not look" is neither, and makes no statement. */
  seen: boolean;
}

const FORMAT = 'signet-seen/1';
const NAMES = ['link', 'platform', 'identity', 'account', 'seen'] as const;
const NO_ACCOUNT = '-';
const HASH = /^[0-9a-f]{64}$/;
/** Printable ASCII without blanks, as the services store it. */
const ACCOUNT = /^[\x21-\x7e]{1,128}$/;
/** Bytes of UTF-8; the service allows 256 characters. */
const MAX_IDENTITY_BYTES = 1024;

/** Hex SHA-256 of the exact text that a link signs, which is its name in statements. */
export function linkHash(signaturePayload: string): string {
  return encodeHex(sha256(utf8(signaturePayload)));
}

/** The text of a statement, which observers sign together with a time. */
export function statementText({ link, platform, identity, account, seen }: Statement): string {
  const values = [link, platform, identity, account ?? NO_ACCOUNT, seen ? 'yes' : 'no'];
  return [FORMAT, ...NAMES.map((name, place) => `${name} ${values[place]}`), ''].join('\n');
}

/** Reads a statement strictly, in its one spelling; null for anything else. Says nothing of its signatures. */
export function readStatement(text: string): { statement: Statement; note: SignedNote } | null {
  const note = readNote(text);
  const lines = note?.text.split('\n').slice(1, -1);
  if (!note || lines?.length !== NAMES.length) return null;
  const [link, platform, identity, account, seen] = lines.map((line) => line.slice(line.indexOf(' ') + 1)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const isForm = HASH.test(link) && isPlatformName(platform) && ACCOUNT.test(account) && /^(yes|no)$/.test(seen);
  if (!isForm || identity === '' || utf8(identity).length > MAX_IDENTITY_BYTES) return null;
  const statement: Statement = {
    ...{ link, platform, identity },
    account: account === NO_ACCOUNT ? null : account,
    seen: seen === 'yes',
  };
  return statementText(statement) === note.text ? { statement, note } : null;
}

/** What an observer signs: a header, the time in UNIX seconds and the text of the statement. */
export function seenMessage(text: string, time: number): Uint8Array {
  return utf8(`signet-seen/v1\ntime ${time}\n${text}`);
}

/**
 * Returns when the observer with this key saw what the statement says, in UNIX seconds; null if its line is missing,
 * stands twice in two versions, or does not verify. Verifies one signature at most.
 */
export function seenTime(note: SignedNote, key: VerifierKey, options: WithEd25519 = {}): number | null {
  return key.type === SEEN_KEY ? signedTime(note, key, seenMessage, options) : null;
}
