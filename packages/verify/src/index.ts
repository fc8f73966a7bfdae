/**
 * The rules of Signet: no input, no output, nothing that only Node has. Functions that need curves take them as their
 * last parameter or as the option `curves`; without them they use `@noble/curves`.
 */
import * as archive from './chains/archive-document.js';
import type { AvatarKeyText, Hex } from './keys/avatar-key.js';
import * as avatarKey from './keys/avatar-key.js';
import * as chain from './chains/chain.js';
import type { Curves, Secp256k1 } from './keys/curves.js';
import * as ethereumAddress from './keys/ethereum-address.js';
import * as exportFile from './chains/export-file.js';
import * as link from './chains/link.js';
import { nobleCurves } from './keys/noble-curves.js';
import * as patch from './chains/patch.js';
import * as personalSign from './signatures/personal-sign.js';
import * as posted from './posts/posted-signature.js';
import * as document from './posts/proof-document.js';
import type { Step } from './steps.js';
import * as wallet from './signatures/wallet.js';

export type { ArchivedLink, ArchivedText, Predecessor } from './chains/archive-document.js';
export { archiveDocument } from './chains/archive-document.js';
export type { AvatarKeyText, Hex, KeyProblem } from './keys/avatar-key.js';
export { AVATAR_KEY_PATTERN } from './keys/avatar-key.js';
export { canonicalJson, depthOf, exceedsDepth } from './text/canonical-json.js';
export type { ChainOptions, ChainVerification, CheckedLink } from './chains/chain.js';
export { bindingKey, ChainChecker } from './chains/chain.js';
export type { Curves, Ed25519, PublicKey, Secp256k1 } from './keys/curves.js';
export { hasKeyPrefix } from './keys/curves.js';
export { decodeBase58, decodeBase64, decodeHex, encodeBase58, encodeBase64, encodeHex, utf8 } from './text/encoding.js';
export { hasValidChecksum, toChecksumAddress } from './keys/ethereum-address.js';
export type { ClientCode, ErrorCode } from './errors/error-codes.js';
export type { ServerCode } from './errors/server-codes.js';
export type { ErrorFacts } from './errors/errors.js';
export type { Erasure } from './chains/erased.js';
export { identityKeyText, isErased } from './chains/erased.js';
export type {
  CheckedBinding,
  ExportedBinding,
  ExportedEvidence,
  ExportedLog,
  ExportFile,
  ExportVerification,
  OtherRecords,
} from './chains/export-file.js';
export { EXPORT_FORMAT, EXPORT_VERSION } from './chains/export-file.js';
export type { LinkContext, SignedLink } from './chains/link.js';
export { applyMergePatch } from './text/merge-patch.js';
export { nobleCurves } from './keys/noble-curves.js';
export { nobleEd25519 } from './keys/noble-ed25519.js';
export type { KvEntry, PatchChainVerification, PatchContext, ReplayedPatch, SignedPatch } from './chains/patch.js';
export { PatchChainChecker, PatchReplay, replayPatches } from './chains/patch.js';
export { CLOCK_SPREAD_SECONDS, SIGNATURE_PLACEHOLDER, WALLET_PLATFORMS } from './text/constants.js';
export { cleanPasted } from './text/pasted-text.js';
export type { LinkFields, PatchFields } from './text/payload-text.js';
export type { SignedChain } from './chains/signed-chain.js';
export { signedChainIn } from './chains/signed-chain.js';
export { linkPayload, patchPayload, UNIX_TEXT_PATTERN, UUID_PATTERN } from './text/payload-text.js';
export { personalDigest } from './signatures/personal-sign.js';
export type { PostedClaim, PostedSignature } from './posts/posted-signature.js';
export type { DocumentFields, NameMember, ProofDocument } from './posts/proof-document.js';
export { readProofDocument, writeProofDocument } from './posts/proof-document.js';
export type { Signature } from './signatures/signature.js';
export { parseSignature, recoverPublicKey } from './signatures/signature.js';
export { isAnyOf, problemOfMessage, rebuildableMessages } from './signatures/solana-message.js';
export type { Step, StepName, StepState, Verification } from './steps.js';
export { isObject, parseObject, rewrittenJson } from './text/signed-text.js';
export { firstFailure } from './steps.js';
export type { WalletClaim } from './signatures/wallet.js';
export {
  decodeEthereumSignature,
  decodeSolanaMessage,
  decodeSolanaSignature,
  solanaSigned,
} from './signatures/wallet.js';
export type { WebhookContext, WebhookMessage } from './webhook.js';
export { isWebhookSecret, verifyWebhook, webhookSecret, webhookSignature } from './webhook.js';

/** The curves to use; `@noble/curves` when absent. */
export interface WithCurves {
  curves?: Curves | undefined;
}

/** Checks one link: see `checkLink` of link.ts for the steps. Never throws, for any value. */
export function verifyLink(
  item: link.SignedLink,
  { curves = nobleCurves, ...context }: link.LinkContext & WithCurves = {},
) {
  return link.checkLink(item, context, curves);
}

/** Checks the links of one Avatar, oldest first: see chain.ts for the steps. Never throws. */
export function verifyChain(
  links: link.SignedLink[],
  { curves = nobleCurves, ...options }: chain.ChainOptions & WithCurves = {},
) {
  return chain.checkChain(links, options, curves);
}

/** Checks one patch of the key-value service: see patch.ts for the steps. Never throws, for any value. */
export function verifyPatch(
  item: patch.SignedPatch,
  { curves = nobleCurves, ...context }: patch.PatchContext & WithCurves = {},
) {
  return patch.checkPatch(item, context, curves);
}

/** Checks all patches of an Avatar, oldest first, and answers the content they add up to. Never throws. */
export function verifyPatchChain(
  patches: patch.SignedPatch[],
  { curves = nobleCurves, avatar }: { avatar?: string | undefined } & WithCurves = {},
) {
  return patch.checkPatchChain(patches, avatar, curves);
}

/**
 * Checks an export of one Avatar, the text of the file or what its JSON says: see export-file.ts for the steps, and for
 * `others`. Never throws, for any value.
 */
export function verifyExport(
  file: unknown,
  { curves = nobleCurves, others }: { others?: exportFile.OtherRecords | undefined } & WithCurves = {},
) {
  return exportFile.checkExport(file, curves, others);
}

/** Checks the archived documents of one chain, oldest first: see archive-document.ts for the steps. Never throws. */
export function verifyArchiveDocuments(texts: archive.ArchivedText[], { curves = nobleCurves }: WithCurves = {}) {
  return archive.checkArchiveDocuments(texts, curves);
}

/** Checks the second signature of a wallet binding: one step, `wallet_signature`. Never throws. */
export function verifyWallet(claim: wallet.WalletClaim, { curves = nobleCurves }: WithCurves = {}): Step {
  return wallet.checkWallet(claim, curves);
}

/** Finds an Avatar's signature in what a person published: see posted-signature.ts. */
export function findPostedSignature(text: string, claim: posted.PostedClaim, curves: Curves = nobleCurves) {
  return posted.findPostedSignature(text, claim, curves);
}

/** Finds an Avatar's signature in a published proof document (github, keybase): see proof-document.ts. */
export function findDocumentSignature(text: string, claim: posted.PostedClaim, curves: Curves = nobleCurves) {
  return document.findDocumentSignature(text, claim, curves);
}

/** Whether a proof document names this Avatar, in any spelling of its key. */
export function namesAvatar(
  read: document.ProofDocument | null,
  avatar: { compressed: string },
  curves: Curves = nobleCurves,
): boolean {
  return document.namesAvatar(read, avatar, curves);
}

/** See `readAvatarKey` of avatar-key.ts: the key in its two spellings, or why the text is not a key. */
export function readAvatarKey(text: string, secp256k1: Secp256k1 = nobleCurves.secp256k1) {
  return avatarKey.readAvatarKey(text, secp256k1);
}

/** The key in its two spellings, or null if the text is not a key. */
export function findAvatarKey(text: string, secp256k1: Secp256k1 = nobleCurves.secp256k1): AvatarKeyText | null {
  return avatarKey.findAvatarKey(text, secp256k1);
}

/**
 * The lowercase Ethereum address of a compressed key (`0x` and 66 hex digits).
 * @throws TypeError if the text is not such a key
 */
export function addressOfKey(compressedKey: string, secp256k1: Secp256k1 = nobleCurves.secp256k1): Hex {
  return ethereumAddress.addressOfKey(compressedKey, secp256k1);
}

/** The compressed key that signed the text with personal_sign, or null. */
export function recoverPersonalSigner(
  message: string,
  signature: Uint8Array,
  secp256k1: Secp256k1 = nobleCurves.secp256k1,
): Hex | null {
  return personalSign.recoverPersonalSigner(message, signature, secp256k1);
}

/** True if the owner of the compressed key signed exactly this text with personal_sign. */
export function isPersonalSignature(
  message: string,
  signature: Uint8Array,
  compressedKey: string,
  secp256k1: Secp256k1 = nobleCurves.secp256k1,
): boolean {
  return personalSign.isPersonalSignature(message, signature, compressedKey, secp256k1);
}
