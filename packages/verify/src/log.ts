/**
 * The transparency log: trees, tiles, checkpoints, cosignatures, policies and proofs (C2SP). No input, no output,
 * nothing that only Node has. Functions that verify signatures take Ed25519 as their last parameter; without it they
 * use `@noble/curves`, which is synchronous and answers the same everywhere. WebCrypto is asynchronous, has Ed25519 in
 * new browsers and on secure origins only, and need not refuse keys of small order.
 */
import type { Ed25519 } from './keys/curves.js';
import type { Checkpoint } from './log/checkpoint.js';
import * as exportLog from './log/export-log.js';
import * as logProof from './log/log-proof.js';
import * as nextLogs from './log/next-log.js';
import * as note from './log/note.js';
import * as policies from './log/policy.js';
import * as receipts from './log/receipt.js';
import * as verifierKeys from './log/verifier-key.js';
import { nobleEd25519 } from './keys/noble-ed25519.js';
import * as mapAnswer from './map/map-answer.js';
import type { Verification } from './steps.js';

export { decodeBase64, decodeHex, encodeBase64, encodeHex, equalBytes } from './text/encoding.js';
export type { Checkpoint, TreeHead } from './log/checkpoint.js';
export { checkpointText, readCheckpoint } from './log/checkpoint.js';
export type {
  ErasedItem,
  FeedLink,
  FeedPatch,
  RecordContext,
  RecordedLinkItem,
  RecordedPatchItem,
} from './chains/named-records.js';
export {
  erasureEntry,
  linkEntry,
  linkRecord,
  namedIn,
  patchEntry,
  patchRecord,
  receiptHash,
} from './chains/named-records.js';
export type { ErasureEntry, LinkEntry, LogEntry, OtherEntry, PatchEntry } from './log/entry.js';
export {
  erasedEntry,
  keyOf,
  readEntry,
  readOtherEntry,
  recordedHash,
  recordEntry,
  recordHash,
  writeEntry,
} from './log/entry.js';
export type { EntryKind, FeedRecord, NamedRecord } from './chains/record-kind.js';
export { ENTRY_KINDS, LINK_ENTRIES, PATCH_ENTRIES } from './chains/record-kind.js';
export type { ExportLogContext } from './log/export-log.js';
export type { LogProofContext, LogProofVerification } from './log/log-proof.js';
export { isEntryBefore, isEntryOf } from './log/log-proof.js';
export type { NextLog } from './log/next-log.js';
export { nextLogText } from './log/next-log.js';
export type { NoteSignature, SignedNote } from './log/note.js';
export { appendSignatures, cosignedMessage, readNote, readSignatureLine, writeSignatureLine } from './log/note.js';
export type { CheckpointVerdict, Policy, PolicyLog, PolicyWitness } from './log/policy.js';
export { hasDisjointQuorums, isQuorumMet, logOnlyPolicy, PolicyError } from './log/policy.js';
export type { LogProof } from './log/proof-file.js';
export { readLogProof, writeLogProof } from './log/proof-file.js';
export type { Receipt, ReceiptContext, ReceiptVerification } from './log/receipt.js';
export { isReceiptOf, readReceipt, receiptText } from './log/receipt.js';
export type { GrownTree, ReadTiles, TileHashes } from './log/tile-tree.js';
export {
  appendLeaves,
  consistencyFromTiles,
  inclusionFromTiles,
  nodeInTile,
  rootFromTiles,
  tileOfNode,
} from './log/tile-tree.js';
export type { Tile, TilePath } from './log/tiles.js';
export {
  encodeBundle,
  MAX_ENTRY_BYTES,
  newTiles,
  decodeBundle,
  parseTilePath,
  TILE_WIDTH,
  tilePath,
  tilesOf,
  tileWidth,
} from './log/tiles.js';
export type { ConsistencyClaim, InclusionClaim, Sha256, TreeNode } from './log/tree.js';
export {
  consistencyNodes,
  emptyRoot,
  foldNodes,
  HASH_BYTES,
  inclusionNodes,
  isConsistent,
  isContradiction,
  isIncluded,
  leafHash,
  nodeHash,
  rootNodes,
  TreeFrontier,
  treeRoot,
} from './log/tree.js';
export type { VerifierKey } from './log/verifier-key.js';
export { COSIGNATURE_KEY, ED25519_KEY, verifierKey, writeVerifierKey } from './log/verifier-key.js';
export type { WitnessRequest } from './log/witness-request.js';
export { originHash, readWitnessRequest, writeWitnessRequest } from './log/witness-request.js';
export type { Holder, MapQuestion, MapVerification } from './map/map-answer.js';
export type { MapEntry } from './map/map-entry.js';
export { readMapEntry } from './map/map-entry.js';
export type { AvatarState, HolderState, IdentityState } from './map/map-values.js';
export { nobleEd25519 } from './keys/noble-ed25519.js';
export type { Step, StepName, StepState, Verification } from './steps.js';

/** See `parseVerifierKey` of verifier-key.ts: a key of a log or a witness, or null. */
export function readVerifierKey(text: string, ed25519: Ed25519 = nobleEd25519): verifierKeys.VerifierKey | null {
  return verifierKeys.parseVerifierKey(text, ed25519);
}

/** See `parseLogKey` of verifier-key.ts: the key of a log, or null. */
export function readLogKey(text: string, ed25519: Ed25519 = nobleEd25519): verifierKeys.VerifierKey | null {
  return verifierKeys.parseLogKey(text, ed25519);
}

/** See `openNextLog` of next-log.ts: what the note of a log that has ended says of the next one, or null. */
export function readNextLog(
  text: string,
  key: verifierKeys.VerifierKey,
  ed25519: Ed25519 = nobleEd25519,
): nextLogs.NextLog | null {
  return nextLogs.openNextLog(text, key, ed25519);
}

/** See `isSignedBy` of note.ts: whether the note carries a valid signature of this key. */
export function isSignedBy(
  signed: note.SignedNote,
  key: verifierKeys.VerifierKey,
  ed25519: Ed25519 = nobleEd25519,
): boolean {
  return note.isSignedBy(signed, key, ed25519);
}

/** See `cosignatureTime` of note.ts: when a witness signed, in UNIX seconds, or null. */
export function cosignatureTime(
  signed: note.SignedNote,
  key: verifierKeys.VerifierKey,
  ed25519: Ed25519 = nobleEd25519,
): number | null {
  return note.cosignatureTime(signed, key, ed25519);
}

/**
 * Reads a policy file.
 * @throws PolicyError that names the line and what is wrong with it
 */
export function readPolicy(text: string, ed25519: Ed25519 = nobleEd25519): policies.Policy {
  return policies.parsePolicy(text, ed25519);
}

/**
 * Reads a list of logs: lines `log <verifier key> [<url>]`.
 * @throws PolicyError that names the line and what is wrong with it
 */
export function readLogList(text: string, ed25519: Ed25519 = nobleEd25519): policies.PolicyLog[] {
  return policies.parseLogs(text, ed25519);
}

/** See `judgeCheckpoint` of policy.ts: who of a policy signed a checkpoint. `now` is in UNIX seconds. */
export function judgeCheckpoint(
  checkpoint: Checkpoint,
  policy: policies.Policy,
  { now, ed25519 = nobleEd25519 }: { now?: number | undefined; ed25519?: Ed25519 | undefined } = {},
): policies.CheckpointVerdict {
  return policies.judgeCheckpoint(checkpoint, policy, ed25519, now);
}

/** Checks a proof file and what it is about: see log-proof.ts for the steps. Never throws. */
export function verifyLogProof(
  text: string,
  context: logProof.LogProofContext,
  ed25519: Ed25519 = nobleEd25519,
): logProof.LogProofVerification {
  return logProof.checkLogProof(text, context, ed25519);
}

/**
 * Checks an answer of `GET /v1/log/map`, which may be anything, to a question: see map-answer.ts for the steps.
 * `policy` has the logs that are accepted, and whose cosignatures are asked for; `now` is in UNIX seconds, and with it
 * cosignatures from the future do not count. Never throws.
 */
export function verifyMapAnswer(
  answer: unknown,
  question: mapAnswer.MapQuestion,
  { policy, now }: { policy: policies.Policy; now?: number | undefined },
  ed25519: Ed25519 = nobleEd25519,
): mapAnswer.MapVerification {
  return mapAnswer.checkMapAnswer(answer, question, policy, (checkpoint) =>
    policies.judgeCheckpoint(checkpoint, policy, ed25519, now),
  );
}

/** Checks a receipt, and what it promised: see receipt.ts for the steps. Never throws. */
export function verifyReceipt(
  text: string,
  context: receipts.ReceiptContext,
  ed25519: Ed25519 = nobleEd25519,
): receipts.ReceiptVerification {
  return receipts.checkReceipt(text, context, ed25519);
}

/**
 * Checks the proofs of the log that an export carries, the text of the file or what its JSON says: see export-log.ts
 * for the steps. `verifyExport` of `@signet/verify` checks the rest. Never throws.
 */
export function verifyExportLog(
  file: unknown,
  context: exportLog.ExportLogContext = {},
  ed25519: Ed25519 = nobleEd25519,
): Verification {
  return exportLog.checkExportLog(file, context, ed25519);
}
