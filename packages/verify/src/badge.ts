/**
 * The part that a badge needs, in half of the size: links, chains and profiles on `@noble/secp256k1`. Signatures of
 * Solana wallets and of keys of Nostr are "not checkable" here.
 */
import * as chain from './chains/chain.js';
import * as link from './chains/link.js';
import * as patch from './chains/patch.js';
import { readKeyBy } from './keys/avatar-key.js';
import { smallCurves } from './keys/small-curves.js';
import { type Verification, withoutThrowing } from './steps.js';
import * as wallet from './signatures/wallet.js';
import { type Profile, profileIn } from './text/profile.js';

export type { ChainOptions, ChainVerification, CheckedLink } from './chains/chain.js';
export type { LinkContext, SignedLink } from './chains/link.js';
export type { SignedPatch } from './chains/patch.js';
export type { Profile } from './text/profile.js';
export { smallCurves } from './keys/small-curves.js';
export type { Step, StepName, StepState, Verification } from './steps.js';

const checkWallet: typeof wallet.checkWallet = (claim) =>
  wallet.checkWalletBy(claim, smallCurves, wallet.otherUnchecked);

const checkLink = (item: link.SignedLink, context: link.LinkContext) =>
  link.checkLinkBy(item, context, smallCurves, checkWallet);

/**
 * Checks one link as `verifyLink` of `@signet/verify` does, without signatures of Solana wallets and keys of Nostr.
 * Never throws, whatever it is given.
 */
export function verifyLink(item: link.SignedLink, options: link.LinkContext = {}): Verification {
  return withoutThrowing(() => checkLink(item, options), {});
}

/**
 * Checks the links of one Avatar, oldest first, as `verifyChain` of `@signet/verify` does, without signatures of Solana
 * wallets and keys of Nostr. An empty list of a named Avatar is not checkable. Never throws, whatever it is given.
 */
export function verifyChain(links: link.SignedLink[], options: chain.ChainOptions = {}): chain.ChainVerification {
  return withoutThrowing(
    () => chain.checkLinks(links, options, new chain.LinksChecker(checkLink, options)),
    chain.noChain(),
  );
}

/**
 * The profile that all patches of an Avatar (compressed key) add up to, oldest first.
 * @returns null where there is none, where a patch does not verify, and where one was erased
 */
export function signedProfile(patches: patch.SignedPatch[], avatar: string): Profile | null {
  const checked = patch.checkPatches(patches, { avatar }, new patch.PatchesChecker(smallCurves, { avatar }));
  if (!checked.complete) return null;
  const own = checked.entries.find(({ identity }) => {
    const key = readKeyBy(identity, smallCurves.secp256k1);
    return typeof key !== 'string' && key.compressed === avatar;
  });
  return profileIn(own?.content);
}
