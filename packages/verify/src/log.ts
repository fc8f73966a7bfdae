/**
 * The transparency log: trees, tiles, checkpoints, cosignatures, policies and proofs (C2SP). No input, no output,
 * nothing that only Node has. Ed25519 is that of `@noble/curves`, which is synchronous and answers the same everywhere:
 * WebCrypto is asynchronous, has Ed25519 in new browsers and on secure origins only, and need not refuse keys of small
 * order.
 */
export type { WithEd25519 } from './keys/curves.js';
export { decodeBase64, decodeHex, encodeBase64, encodeHex } from './text/encoding.js';
export type { Checkpoint, TreeHead } from './log/checkpoint.js';
export { checkpointText, readCheckpoint } from './log/checkpoint.js';
export type { FeedLink, FeedPatch } from './chains/named-records.js';
export type { ErasureEntry, LinkEntry, LogEntry, OtherEntry, PatchEntry } from './log/entry.js';
export { readEntry } from './log/entry.js';
export type { EntryKind, FeedRecord, NamedRecord } from './chains/record-kind.js';
export { ENTRY_KINDS, KEY_ENTRIES, LINK_ENTRIES, PATCH_ENTRIES } from './chains/record-kind.js';
export type { ExportLogContext } from './log/export-log.js';
export { verifyExportLog } from './log/export-log.js';
export type { LogProofContext, LogProofVerification } from './log/log-proof.js';
export { verifyLogProof } from './log/log-proof.js';
export { cosignatureTime, isSignedBy } from './log/note.js';
export type { CheckpointVerdict, Policy, PolicyLog, PolicyWitness } from './log/policy.js';
export { judgeCheckpoint, logOnlyPolicy, PolicyError, readPolicy } from './log/policy.js';
export type { LogProof } from './log/proof-file.js';
export { readLogProof, writeLogProof } from './log/proof-file.js';
export type { Receipt, ReceiptContext, ReceiptVerification } from './log/receipt.js';
export { readReceipt, verifyReceipt } from './log/receipt.js';
export type { ConsistencyClaim, InclusionClaim, Sha256 } from './log/tree.js';
export { isConsistent, isContradiction, isIncluded, leafHash, treeRoot } from './log/tree.js';
export type { VerifierKey } from './log/verifier-key.js';
export { readLogKey, readVerifierKey, verifierKey, writeVerifierKey } from './log/verifier-key.js';
export type { Holder, MapContext, MapQuestion, MapVerification } from './map/map-answer.js';
export { verifyMapAnswer } from './map/map-answer.js';
export type { MapEntry } from './map/map-entry.js';
export type { AvatarState, HolderState, IdentityState } from './map/map-values.js';
export { nobleEd25519 } from './keys/noble-ed25519.js';
export type { Step, StepName, StepState, Verification } from './steps.js';
