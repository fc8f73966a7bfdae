/** One link of a ProofChain, checked with nothing but itself and the one before it. */
import type { Curves, WithCurves } from '../keys/curves.js';
import { checkErased, type Erasure, isErased } from './erased.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { UNIX_TEXT_PATTERN } from '../text/payload-text.js';
import { checkAskedChain, signedChainIn } from './signed-chain.js';
import { checkPrevious, checkSignedText, parseObject, problemOfTexts } from '../text/signed-text.js';
import {
  checked,
  failed,
  notCheckable,
  ok,
  show,
  type Step,
  verificationOf,
  type Verification,
  withoutThrowing,
} from '../steps.js';
import { checkWallet } from '../signatures/wallet.js';
import { WALLET_PLATFORMS } from '../text/constants.js';

/** A link as `GET /v1/proofchain` and `GET /v1/proofchain/changes` answer it; other members do not matter. */
export interface SignedLink {
  /** Compressed key. The feed has it; a chain of one Avatar does not. */
  avatar?: string;
  action: string;
  platform: string;
  identity: string;
  proof_location?: string;
  /** UNIX seconds in decimal. */
  created_at: string;
  uuid: string;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signature_payload: string;
  extra?: { wallet_signature?: string; wallet_message?: string; rel?: unknown; [fact: string]: unknown };
  /** Of a link whose text was erased; its other texts are empty then. */
  erased?: Erasure;
}

/** What is known beside the link. */
export interface LinkContext {
  /** The Avatar that is expected, as a compressed key. Without it, the one that the link names. */
  avatar?: string | undefined;
  /** The link before it; null if it has to be the first; undefined if its place is not to be checked. */
  previous?: { signature: string } | null | undefined;
}

const TEXT_FIELDS = ['action', 'platform', 'identity', 'created_at', 'uuid', 'signature', 'signature_payload'];
const ACTIONS = ['create', 'delete'];

/**
 * Checks one link of a ProofChain. Steps: `shape`, `avatar` where the link names one, `fields`, `canonical_text`,
 * `signature`; `wallet_signature` for a wallet that was bound, or `post` for an account; `prev` where the place is
 * known. Of a link whose text was erased: `shape`, `avatar` where it names one, and `erased`, which is not checkable.
 * Never throws, whatever it is given.
 */
export function verifyLink(link: SignedLink, options: LinkContext & WithCurves = {}): Verification {
  return withoutThrowing(() => checkLinkBy(link, options, options.curves ?? nobleCurves, checkWallet), {});
}

/** `verifyLink` with given curves and a given check of wallets. */
export function checkLinkBy(
  link: SignedLink,
  { avatar, previous }: LinkContext,
  curves: Curves,
  wallet: typeof checkWallet,
): Verification {
  const shape = checkShape(link);
  if (shape.state === 'failed') return verificationOf([shape]);
  const owner = avatar ?? link.avatar ?? avatarIn(link.signature_payload);
  if (isErased(link)) {
    const { proof_location, extra } = link;
    return checkErased(link, { proof_location, extra }, checkOwner(link, owner));
  }
  const { action, platform, identity, created_at, uuid, signature_payload: text } = link;
  const chain = action === 'create' && platform === 'ethereum' ? signedChainIn(text) : null;
  const fields = { action, avatar: owner, ...chain, created_at, identity, platform, uuid };
  const said = checkSignedText(link, fields, owner, curves);
  if (chain && said[0]?.state === 'ok') said[0] = checkAskedChain(chain, link.extra ?? {});
  const steps = [shape, ...checkOwner(link, owner), ...said];
  if (action === 'create') {
    const isWallet = WALLET_PLATFORMS.includes(platform);
    steps.push(isWallet ? wallet({ platform, identity, text, extra: link.extra ?? {} }, curves) : checkPost(platform));
  }
  if (previous !== undefined) steps.push(checkPrevious(text, previous, 'link'));
  return verificationOf(steps);
}

/** One step, `avatar`, where the item itself names one. */
export function checkOwner(item: { avatar?: string }, owner: string): Step[] {
  if (item.avatar === undefined) return [];
  return [checked('avatar', item.avatar === owner, 'It belongs to the Avatar.', 'It belongs to another Avatar.')];
}

/** The Avatar that a signed text names, or `''`. */
export function avatarIn(text: string): string {
  const avatar = parseObject(text)?.['avatar'];
  return typeof avatar === 'string' ? avatar : '';
}

/** The Avatar of a chain: `given`, or the one that the first item names which is not erased or names one itself. */
export function avatarOf(
  items: { avatar?: string; erased?: unknown; signature_payload: string }[],
  given: string | undefined,
): string {
  const [first] = items.filter((item) => item?.avatar !== undefined || item?.erased === undefined);
  return given ?? first?.avatar ?? avatarIn(first?.signature_payload ?? '');
}

function checkShape(link: SignedLink): Step {
  const problem = problemOfTexts(link, TEXT_FIELDS);
  if (problem) return failed('shape', problem);
  if (!ACTIONS.includes(link.action)) {
    return failed('shape', `Its action is ${show(link.action)}, which is neither create nor delete.`);
  }
  if (!UNIX_TEXT_PATTERN.test(link.created_at)) {
    return failed('shape', `Its created_at is ${show(link.created_at)}, which is not UNIX seconds in decimal.`);
  }
  return ok('shape', 'It has all the fields of a link.');
}

/** That an account agreed is shown by a post, and a wallet by its signature. */
function checkPost(platform: string): Step {
  return notCheckable('post', `The post that proves it is on ${show(platform)}, which only that platform can show.`);
}
