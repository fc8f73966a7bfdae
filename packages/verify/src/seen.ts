/**
 * What other servers saw of bindings: statements, observers and quorums (docs/verify.md, section 14). No input, no
 * output, nothing that only Node has. Functions that verify signatures take Ed25519 as their last parameter; without it
 * they use `@noble/curves`.
 */
import type { Ed25519 } from './keys/curves.js';
import type { SignedNote } from './log/note.js';
import * as verifierKeys from './log/verifier-key.js';
import { nobleEd25519 } from './keys/noble-ed25519.js';
import * as exportSeen from './seen/export-seen.js';
import * as lists from './seen/observers.js';
import * as quorum from './seen/quorum.js';
import * as statements from './seen/statement.js';

export type { VerifierKey } from './log/verifier-key.js';
export { SEEN_KEY, writeVerifierKey } from './log/verifier-key.js';
export type { ExportSeenContext, ExportSeenVerification } from './seen/export-seen.js';
export type { Observer, Observers } from './seen/observers.js';
export { neededOf, ObserversError } from './seen/observers.js';
export type { ObserverState, ObserverView, SeenBinding, SeenNotes, SeenVerdict } from './seen/quorum.js';
export type { Statement } from './seen/statement.js';
export { linkHash, readStatement, statementText } from './seen/statement.js';

/**
 * Reads a list of observers: lines `observer <operator> <verifier key> [<url>]`, and perhaps `quorum <number>`.
 * @throws ObserversError that names the line and what is wrong with it
 */
export function readObservers(text: string, ed25519: Ed25519 = nobleEd25519): lists.Observers {
  return lists.parseObservers(text, ed25519);
}

/**
 * The time that stands in the line of an observer's key below a statement, in UNIX seconds, unverified; null without a
 * line of it.
 */
export { claimedTime } from './log/note.js';

/** See `seenTime` of statement.ts: when the observer with this key looked, in UNIX seconds, or null. */
export function seenTime(
  note: SignedNote,
  key: verifierKeys.VerifierKey,
  ed25519: Ed25519 = nobleEd25519,
): number | null {
  return statements.seenTime(note, key, ed25519);
}

/** What observers say together of one binding at `now`, in UNIX seconds: see `judgeSeen` of quorum.ts. Never throws. */
export function judgeSeen(
  notes: quorum.SeenNotes,
  binding: quorum.SeenBinding,
  observers: lists.Observers,
  now: number,
  ed25519: Ed25519 = nobleEd25519,
): quorum.SeenVerdict {
  return quorum.judgeSeen(notes, binding, observers, now, ed25519);
}

/** Checks the statements of observers that an export carries: see export-seen.ts for the step. Never throws. */
export function verifyExportSeen(
  file: unknown,
  context: exportSeen.ExportSeenContext = {},
  ed25519: Ed25519 = nobleEd25519,
): exportSeen.ExportSeenVerification {
  return exportSeen.checkExportSeen(file, context, ed25519);
}
