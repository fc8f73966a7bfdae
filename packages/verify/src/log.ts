/**
 * The transparency log: trees, tiles, checkpoints, cosignatures, policies and proofs (C2SP). No input, no output,
 * nothing that only Node has. Ed25519 is that of `@noble/curves`, which is synchronous and answers the same everywhere:
 * WebCrypto is asynchronous, has Ed25519 in new browsers and on secure origins only, and need not refuse keys of small
 * order.
 */
export type { WithEd25519 } from './keys/curves.js';
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
export { ENTRY_KINDS, KEY_ENTRIES, LINK_ENTRIES, PATCH_ENTRIES, wordOf, wordsOf } from './chains/record-kind.js';
export type { ExportLogContext } from './log/export-log.js';
export { verifyExportLog } from './log/export-log.js';
export type { LogProofContext, LogProofVerification } from './log/log-proof.js';
export { isEntryBefore, isEntryOf, verifyLogProof } from './log/log-proof.js';
export type { NextLog } from './log/next-log.js';
export { nextLogText, readNextLog } from './log/next-log.js';
export type { NoteSignature, SignedNote } from './log/note.js';
export {
  appendSignatures,
  cosignatureTime,
  cosignedMessage,
  isSignedBy,
  readNote,
  readSignatureLine,
  writeSignatureLine,
} from './log/note.js';
export type { CheckpointVerdict, Policy, PolicyLog, PolicyWitness } from './log/policy.js';
export {
  hasDisjointQuorums,
  isQuorumMet,
  judgeCheckpoint,
  logOnlyPolicy,
  PolicyError,
  readLogList,
  readPolicy,
} from './log/policy.js';
export type { LogProof } from './log/proof-file.js';
export { readLogProof, writeLogProof } from './log/proof-file.js';
export type { Receipt, ReceiptContext, ReceiptVerification } from './log/receipt.js';
export { isReceiptOf, readReceipt, receiptText, verifyReceipt } from './log/receipt.js';
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
export {
  COSIGNATURE_KEY,
  ED25519_KEY,
  readLogKey,
  readVerifierKey,
  verifierKey,
  writeVerifierKey,
} from './log/verifier-key.js';
export type { WitnessRequest } from './log/witness-request.js';
export { originHash, readWitnessRequest, writeWitnessRequest } from './log/witness-request.js';
export type { Holder, MapContext, MapQuestion, MapVerification } from './map/map-answer.js';
export { verifyMapAnswer } from './map/map-answer.js';
export type { MapEntry } from './map/map-entry.js';
export { readMapEntry } from './map/map-entry.js';
export type { AvatarState, HolderState, IdentityState } from './map/map-values.js';
export { nobleEd25519 } from './keys/noble-ed25519.js';
export type { Step, StepName, StepState, Verification } from './steps.js';
