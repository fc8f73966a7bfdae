/** Answers held against their signatures, for clients with `verify: 'signatures'`. */
import {
  canonicalJson,
  ChainChecker,
  findAvatarKey,
  type KvEntry,
  linkPayload,
  nobleCurves,
  PatchChainChecker,
  patchPayload,
  type SignedChain,
  signedChainIn,
  type SignedLink,
  type SignedPatch,
  type Step,
  type Verification,
  verifyLink,
  verifyPatch,
  verifyPatchChain,
  WALLET_PLATFORMS,
} from '@signet/verify';
import type { ChainLink, FeedLink, KvContent, KvPatch } from './answers.js';
import { VerificationError } from './errors.js';

/** @throws VerificationError if a step failed */
export function demand({ ok, steps }: Verification, what: string): void {
  if (ok) return;
  const failure = steps.find(({ state }) => state === 'failed');
  throw new VerificationError(`${what} does not verify. ${failure?.detail ?? ''}`, steps);
}

/** @throws VerificationError */
export function refuse(what: string, detail: string): never {
  const steps: Step[] = [{ name: 'answer', state: 'failed', detail }];
  throw new VerificationError(`${what} does not verify. ${detail}`, steps);
}

/** Checks the links of a chain as they come. */
export function chainChecker(avatar: string): (link: ChainLink) => void {
  const checker = new ChainChecker(nobleCurves, { avatar: compressed(avatar) });
  return (link) => demand(checker.add(link as SignedLink), `The link ${link.uuid}`);
}

/** Checks the patches of a chain as they come. */
export function patchChainChecker(avatar: string): (patch: KvPatch) => void {
  const checker = new PatchChainChecker(nobleCurves, compressed(avatar));
  return (patch) => demand(checker.add(patch as SignedPatch), `The patch ${patch.uuid}`);
}

/**
 * Compares the places of records in their chain with those of their entries in the log: signatures show the order of
 * records whose texts are there, and an operator could give one erased record the place and signature of another.
 * @returns what is called with the records of one Avatar, oldest first: the uuid, and the number of the entry of the
 *   record itself, or undefined where it is not known. @throws VerificationError
 */
export function orderChecker(): (uuid: string, entry: number | undefined) => void {
  let previous = -1;
  return (uuid, entry = Infinity) => {
    if (entry <= previous) {
      refuse('The chain', `Its record ${uuid} stands in the log before one that it follows in the chain.`);
    }
    if (entry !== Infinity) previous = entry;
  };
}

/**
 * A check of records one by one, oldest first, and of their order in the log.
 * @param prove returns the number of the entry that was made of a record, where it is known
 */
export function inOrder<Item extends { uuid: string }>(
  check: (item: Item) => void,
  prove: (item: Item) => Promise<number | undefined>,
): (item: Item) => Promise<void> {
  const checkOrder = orderChecker();
  return async (item) => {
    check(item);
    checkOrder(item.uuid, await prove(item));
  };
}

/** Checks links each by itself, wherever they stand. */
export function linkChecker(avatar?: string): (link: ChainLink | FeedLink) => void {
  const context = avatar === undefined ? {} : { avatar: compressed(avatar) };
  return (link) => demand(verifyLink(link as SignedLink, context), `The link ${link.uuid}`);
}

/** Checks patches each by itself, wherever they stand. */
export function patchChecker(avatar: string): (patch: KvPatch) => void {
  const context = { avatar: compressed(avatar) };
  return (patch) => demand(verifyPatch(patch as SignedPatch, context), `The patch ${patch.uuid}`);
}

/**
 * Whether verified patches add up to the content that the server answers, and make exactly those entries incomplete
 * that it says are.
 * @throws VerificationError for a bad chain
 */
export function addsUp(avatar: string, patches: KvPatch[], { proofs }: Pick<KvContent, 'proofs'>): boolean {
  const result = verifyPatchChain(patches as SignedPatch[], { avatar: compressed(avatar) });
  demand(result, `The patches of ${avatar}`);
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

/** Checks the text that a server wants to have signed for a patch. @throws VerificationError */
export function checkPatchPayload(
  text: string,
  asked: { platform: string; patch: object; avatar: string },
  issued: { uuid: string; created_at: number },
): void {
  const { identity, prev } = readText(text) as { identity: string; prev: string | null };
  const { avatar, patch, platform } = asked;
  const expected = patchPayload({ avatar, patch, platform, identity, prev: prev ?? null, ...issued });
  if (expected !== text) refuse('The text to sign', 'It is not the text of the patch that was asked for.');
}

/** Two spellings of a wallet, whose letter case is no part of a hex address; account names only the server can read. */
function isSameWallet({ platform, identity }: { platform: string; identity: string }, said: string): boolean {
  if (!WALLET_PLATFORMS.includes(platform)) return true;
  return (said.startsWith('0x') ? identity.toLowerCase() : identity).includes(said);
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
 * The compressed spelling of a key that is asked for. No map has anything of a text that is no key, so a proof of that
 * says nothing.
 * @throws TypeError for a text that is no key
 */
export function askedKey(avatar: string): string {
  const key = compressed(avatar);
  if (findAvatarKey(key) === null) throw new TypeError(`${JSON.stringify(avatar)} is not the public key of an Avatar.`);
  return key;
}

/** The compressed spelling of a key; other text stays as it is, and verifies nothing. */
export function compressed(avatar: string): string {
  return findAvatarKey(avatar.startsWith('0x') ? avatar : `0x${avatar}`)?.compressed ?? avatar;
}
