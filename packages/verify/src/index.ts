/**
 * The rules of Signet: no input, no output, nothing that only Node has. Functions that check signatures have an option
 * `curves`; without it they use `@noble/curves`.
 */
export type { ArchivedLink, ArchivedText, Predecessor } from './chains/archive-document.js';
export { archiveDocument, verifyArchiveDocuments } from './chains/archive-document.js';
export type { AvatarKeyText, Hex, KeyProblem } from './keys/avatar-key.js';
export { findAvatarKey, readAvatarKey } from './keys/avatar-key.js';
export { canonicalJson } from './text/canonical-json.js';
export type { ChainOptions, ChainVerification, CheckedLink } from './chains/chain.js';
export { ChainChecker, verifyChain } from './chains/chain.js';
export type { Bip340, Curves, Ed25519, NistCurve, PublicKey, Secp256k1, WithCurves } from './keys/curves.js';
export { decodeBase58, decodeBase64, decodeHex, encodeBase58, encodeBase64, encodeHex } from './text/encoding.js';
export { addressOfKey, hasValidChecksum, toChecksumAddress } from './keys/ethereum-address.js';
export type { ClientCode, ErrorCode } from './errors/error-codes.js';
export type { ServerCode } from './errors/server-codes.js';
export type { ErrorFacts } from './errors/errors.js';
export type { Erasure } from './chains/erased.js';
export { isErased } from './chains/erased.js';
export type { CheckedBinding, ExportedBinding, ExportedEvidence } from './chains/export-bindings.js';
export type { ExportedLog, ExportFile, ExportVerification, OtherRecords } from './chains/export-file.js';
export { EXPORT_FORMAT, EXPORT_VERSION, verifyExport } from './chains/export-file.js';
export type { LinkContext, SignedLink } from './chains/link.js';
export { verifyLink } from './chains/link.js';
export { applyMergePatch } from './text/merge-patch.js';
export { nobleCurves } from './keys/noble-curves.js';
export { nobleBip340 } from './keys/noble-bip340.js';
export { nobleEd25519 } from './keys/noble-ed25519.js';
export type {
  AppPatch,
  KvEntry,
  PatchChainOptions,
  PatchChainVerification,
  PatchContext,
  PatchSigners,
  ReplayedPatch,
  SignedPatch,
} from './chains/patch.js';
export { PatchChainChecker, replayPatches, verifyPatch, verifyPatchChain } from './chains/patch.js';
export { SIGNATURE_PLACEHOLDER, WALLET_PLATFORMS } from './text/constants.js';
export type { LinkFields, PatchFields } from './text/payload-text.js';
export type { SignedChain } from './chains/signed-chain.js';
export { linkPayload, patchPayload } from './text/payload-text.js';
export { isPersonalSignature, personalDigest, recoverPersonalSigner } from './signatures/personal-sign.js';
export type { PostedClaim, PostedSignature } from './posts/posted-signature.js';
export { findPostedSignature } from './posts/posted-signature.js';
export type { DocumentFields, NameMember, ProofDocument } from './posts/proof-document.js';
export { findDocumentSignature } from './posts/proof-document.js';
export type { Signature } from './signatures/signature.js';
export { parseSignature, recoverPublicKey } from './signatures/signature.js';
export type { Step, StepName, StepState, Verification } from './steps.js';
export { firstFailure } from './steps.js';
export type { WalletClaim } from './signatures/wallet.js';
export { verifyWallet } from './signatures/wallet.js';
export type { WebhookContext, WebhookMessage } from './webhook.js';
export { isWebhookSecret, verifyWebhook, webhookSecret, webhookSignature } from './webhook.js';
