/**
 * The part that a badge needs, in half of the size: links, chains and profiles on `@noble/secp256k1`. Signatures of
 * Solana wallets are "not checkable" here.
 */
import * as chain from './chains/chain.js';
import * as link from './chains/link.js';
import * as patch from './chains/patch.js';
import { findAvatarKey } from './keys/avatar-key.js';
import { smallCurves } from './keys/small-curves.js';
import * as wallet from './signatures/wallet.js';
import { type Profile, profileIn } from './text/profile.js';

export type { ChainOptions, ChainVerification, CheckedLink } from './chains/chain.js';
export type { LinkContext, SignedLink } from './chains/link.js';
export type { SignedPatch } from './chains/patch.js';
export type { Profile } from './text/profile.js';
export { smallCurves } from './keys/small-curves.js';
export type { Step, StepName, StepState, Verification } from './steps.js';

const checkWallet: typeof wallet.checkWallet = (claim) =>
  wallet.checkWalletBy(claim, smallCurves, wallet.solanaUnchecked);

/** Checks one link. Never throws, for any value. */
export function verifyLink(item: link.SignedLink, context: link.LinkContext = {}) {
  return link.checkLinkBy(item, context, smallCurves, checkWallet);
}

/** Checks the links of one Avatar, oldest first. Never throws. */
export function verifyChain(links: link.SignedLink[], options: chain.ChainOptions = {}) {
  return chain.checkLinks(links, options, new chain.LinksChecker(verifyLink, options));
}

/**
 * The profile that all patches of an Avatar (compressed key) add up to, oldest first. Never throws.
 * @returns null where there is none, where a patch does not verify, and where one was erased
 */
export function signedProfile(patches: patch.SignedPatch[], avatar: string): Profile | null {
  const { complete, entries } = patch.checkPatchChain(patches, avatar, smallCurves);
  if (!complete) return null;
  const own = entries.find(({ identity }) => findAvatarKey(identity, smallCurves.secp256k1)?.compressed === avatar);
  return profileIn(own?.content);
}
