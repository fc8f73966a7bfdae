/** Answers held against their signatures by the rules of `@signet/verify`, which bring the curve: loaded when used. */
import {
  canonicalJson,
  ChainChecker,
  type CheckedLink,
  findAvatarKey,
  type KvEntry,
  linkPayload,
  PatchChainChecker,
  patchPayload,
  type SignedChain,
  type SignedLink,
  type SignedPatch,
  verifyChain,
  verifyLink,
  verifyPatch,
  verifyPatchChain,
  WALLET_PLATFORMS,
} from '@signet/verify';
import { signedChainIn } from '@signet/verify/internal/chains';
import { isSameName } from '@signet/verify/names';
import type { ChainLink, FeedLink, KvContent, KvPatch } from './answers.js';
import { compressed, demand, named, quoted, refuse, wrong } from './checks.js';
import type { CheckedReads } from './client/checked-reads.js';
import type { BindingOfLink } from './client/resting.js';
import { WrongUsageError } from './errors.js';
import { LoadedSigners } from './keys/loaded-signers.js';

export { firstFailure, isErased, verifyLink } from '@signet/verify';
export { fromWallet } from './signers/from-wallet.js';

/** Checks the links of a chain as they come. */
export function chainChecker(avatar: string): (link: ChainLink) => void {
  const checker = new ChainChecker({ avatar: compressed(avatar) });
  return (link) => demand(checker.add(link as SignedLink), named('link', link.uuid));
}

/** Checks links each by itself, wherever they stand. */
export function linkChecker(avatar?: string): (link: ChainLink | FeedLink) => void {
  const context = avatar === undefined ? {} : { avatar: compressed(avatar) };
  return (link) => demand(verifyLink(link as SignedLink, context), named('link', link.uuid));
}

/** Checks patches of an Avatar as they come: from the first on, or each by itself, wherever they stand. */
export function patchCheck(
  reads: CheckedReads,
  avatar: string,
  isFromFirst: boolean,
  signal: AbortSignal | undefined,
): (patch: KvPatch) => Promise<void> {
  const signers = new LoadedSigners(reads, avatar, signal);
  const context = { avatar: compressed(avatar), signers };
  const checker = isFromFirst ? new PatchChainChecker(context) : null;
  return async (patch) => {
    const item = patch as SignedPatch;
    await signers.loadFor(item);
    demand(checker?.add(item) ?? verifyPatch(item, context), named('patch', patch.uuid));
  };
}

/**
 * Whether verified patches add up to the content that the server answers, and make exactly those entries incomplete
 * that it says are.
 * @throws VerificationError for a bad chain; what reading key events throws, where a key of an app signed a patch
 */
export async function addsUp(
  reads: CheckedReads,
  avatar: string,
  patches: KvPatch[],
  { proofs }: Pick<KvContent, 'proofs'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const signers = new LoadedSigners(reads, avatar, signal);
  for (const patch of patches as SignedPatch[]) await signers.loadFor(patch);
  const result = verifyPatchChain(patches as SignedPatch[], { avatar: compressed(avatar), signers });
  demand(result, `The chain of patches of ${avatar}`);
  // The entry of the key itself stands under a name and a form of the key that the server chooses (DIALECT).
  const isOwn = (identity: string) => findAvatarKey(identity)?.compressed === result.avatar;
  const nameOf = (platform: string, identity: string) => (isOwn(identity) ? ['', ''] : [platform, identity]);
  const contentOf = (entries: KvEntry[]) =>
    canonicalJson(
      entries
        .map(({ platform, identity, content, incomplete = false }) => [
          ...nameOf(platform, identity),
          canonicalJson(content),
          String(incomplete),
        ])
        .sort(),
    );
  return contentOf(result.entries) === contentOf(proofs);
}

/**
 * Checks that a text to sign says what was asked for, because a signature agrees to all of it.
 * @returns the canonical identity, and the chain of a contract wallet where one was asked for
 * @throws VerificationError
 */
export function checkLinkPayload(
  text: string,
  asked: { action: string; platform: string; identity: string; avatar: string; chainId?: number | undefined },
  issued: { uuid: string; created_at: string },
): { identity: string; chain?: SignedChain } {
  const said = readText(text);
  const { identity, prev } = said as { identity: string; prev: string | null };
  const { action, avatar, platform } = asked;
  if (typeof identity !== 'string' || !isSameWallet(asked, identity)) {
    refuse(
      'The text to sign',
      `It is about ${JSON.stringify(identity)}, and ${JSON.stringify(asked.identity)} was asked for.`,
    );
  }
  const { uuid, created_at } = issued;
  const chain = asked.chainId === undefined ? null : signedChainIn(text);
  if (asked.chainId !== chain?.chain_id) refuse('The text to sign', `It does not name chain ${asked.chainId}.`);
  const expected = linkPayload({ action, avatar, platform, identity, prev: prev ?? null, uuid, created_at, ...chain });
  if (expected !== text) refuse('The text to sign', 'It is not the text of the link that was asked for.');
  return chain ? { identity, chain } : { identity };
}

/** Refuses a patch that is no JSON object, before it is sent. @throws WrongUsageError */
export function demandPatch(patch: unknown): void {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    throw wrong('patch', 'a JSON object', patch);
  }
  try {
    canonicalJson(patch);
  } catch (error) {
    throw new WrongUsageError(`patch has to be JSON, which it is not: ${(error as Error).message}.`);
  }
}

/** Checks the text that a server wants to have signed for a patch. @throws VerificationError */
export function checkPatchPayload(
  text: string,
  asked: { platform: string; patch: object; avatar: string; signer?: string | undefined },
  issued: { uuid: string; created_at: number },
): void {
  const { identity, prev } = readText(text) as { identity: string; prev: string | null };
  const { avatar, patch, platform, signer } = asked;
  const expected = patchPayload({ avatar, patch, platform, identity, prev: prev ?? null, signer, ...issued });
  if (expected !== text) refuse('The text to sign', 'It is not the text of the patch that was asked for.');
}

/**
 * Two spellings of a wallet, whose letter case is no part of a hex address or of an npub; account names only the server
 * can read.
 */
function isSameWallet({ platform, identity }: { platform: string; identity: string }, said: string): boolean {
  if (!WALLET_PLATFORMS.includes(platform)) return true;
  return (/^(?:0x|npub1)/.test(said) ? identity.toLowerCase() : identity).includes(said);
}

function readText(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  return refuse('The text to sign', 'It is not a JSON object.');
}

/**
 * Finds the links that made these bindings in the verified chain, one for each, in their order.
 * @returns null where one of them is not bound at the end of the chain
 * @throws VerificationError for a bad chain
 */
export function linksThatMade(avatar: string, links: ChainLink[], bindings: BindingOfLink[]): CheckedLink[] | null {
  const result = verifyChain(links as SignedLink[], { avatar: compressed(avatar) });
  demand(result, `The chain of ${avatar}`);
  const live = new Set(result.bindings);
  const made = result.links.filter(({ link }) => live.has(link));
  const found = bindings.map(({ platform, identity, created_at }) =>
    made.find(({ link }) => link.platform === platform && link.identity === identity && link.created_at === created_at),
  );
  return found.every((one) => one !== undefined) ? found : null;
}

/** The link that makes a binding at the end of the verified chain. @throws VerificationError for a bad chain */
export function bindingNamed(
  avatar: string,
  links: ChainLink[],
  { platform, identity }: Pick<SignedLink, 'platform' | 'identity'>,
): CheckedLink | undefined {
  const named = links.filter((link) => link.platform === platform && isSameName(link, identity));
  return linksThatMade(avatar, links, named.slice(-1))?.[0];
}

/**
 * The compressed spelling of a key that is asked for, which has to be a point of the curve: no map has anything of
 * another text, so a proof of that says nothing.
 * @throws WrongUsageError
 */
export function askedPoint(avatar: string): string {
  const key = findAvatarKey(compressed(avatar));
  if (!key) throw new WrongUsageError(`${quoted(avatar)} is not the public key of an Avatar.`);
  return key.compressed;
}
