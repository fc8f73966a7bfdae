/**
 * The part that a badge needs, in a third of the size: links and chains on `@noble/secp256k1`. Signatures of Solana
 * wallets are "not checkable" here.
 */
import * as chain from './chains/chain.js';
import * as link from './chains/link.js';
import { smallCurves } from './keys/small-curves.js';

export type { ChainOptions, ChainVerification, CheckedLink } from './chains/chain.js';
export type { LinkContext, SignedLink } from './chains/link.js';
export { smallCurves } from './keys/small-curves.js';
export type { Step, StepState, Verification } from './steps.js';

/** Checks one link. Never throws, for any value. */
export function verifyLink(item: link.SignedLink, context: link.LinkContext = {}) {
  return link.checkLink(item, context, smallCurves);
}

/** Checks the links of one Avatar, oldest first. Never throws. */
export function verifyChain(links: link.SignedLink[], options: chain.ChainOptions = {}) {
  return chain.checkChain(links, options, smallCurves);
}
