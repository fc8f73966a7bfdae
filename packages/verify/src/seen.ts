/**
 * What other servers saw of bindings: statements, observers and quorums (docs/verify.md, section 14). No input, no
 * output, nothing that only Node has.
 */
export type { WithEd25519 } from './keys/curves.js';
export type { VerifierKey } from './log/verifier-key.js';
export { writeVerifierKey } from './log/verifier-key.js';
export type { ExportSeenContext, ExportSeenVerification } from './seen/export-seen.js';
export { verifyExportSeen } from './seen/export-seen.js';
export type { Observer, Observers } from './seen/observers.js';
export { ObserversError, readObservers } from './seen/observers.js';
export type { ObserverState, ObserverView, SeenBinding, SeenNotes, SeenVerdict } from './seen/quorum.js';
export { judgeSeen } from './seen/quorum.js';
export type { Statement } from './seen/statement.js';
export { linkHash, readStatement } from './seen/statement.js';
