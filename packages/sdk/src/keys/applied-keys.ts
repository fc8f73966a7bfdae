/** What key events say, applied to what a server answers: loaded when it is used. */
import { type CheckedLink, type Hex, type SignedPatch, verifyPatchChain } from '@signet/verify';
import { type KeyState, keyStateAt, NO_KEY_EVENTS, verifyHolds } from '@signet/verify/key-events';
import type { ChainLink, IdentityGroup, KvContent, KvPatch } from '../answers.js';
import type { CheckedReads } from '../client/checked-reads.js';
import type { Completeness } from '../client/paged-list.js';
import { nameOf } from '../client/resting.js';
import type { CompleteReads } from '../log/completeness.js';
import { incomplete } from '../log/held-bindings.js';
import { addsUp } from '../rules.js';
import type { KeyEvent } from './key-types.js';
import { readPatchSigners } from './read-keys.js';

type Entries = KvContent['proofs'];

/** How many records of an Avatar were read before its key events, by a complete list. */
export interface ReadWrites {
  links?: number;
  patches?: number;
  map: Pick<Completeness, 'size'>;
}

/**
 * What holds for the keys of an Avatar now.
 * @param complete by whose map an Avatar may have no key events, and is not asked for them; null without that demand
 * @param writes that must not have been recorded while the keys had stopped the writes of the Avatar
 * @throws VerificationError, with that demand also where an event is hidden, and for such writes (`incomplete`)
 */
export async function keyStateNow(
  reads: CheckedReads,
  avatar: string,
  { complete, writes }: { complete: CompleteReads | null; writes?: ReadWrites | undefined },
  signal: AbortSignal | undefined,
): Promise<KeyState> {
  if (complete && (await complete.keyCount(avatar, signal)) === 0) return NO_KEY_EVENTS;
  const events = await reads.keysOf(avatar, signal);
  const now = Math.max(Date.now() / 1000, events.at(-1)?.recorded_at ?? 0);
  if (writes) demandUnheld(avatar, events, writes, now);
  return keyStateAt(events, now);
}

/** @throws VerificationError (`incomplete`) */
function demandUnheld(
  avatar: string,
  events: KeyEvent[],
  { links = 0, patches = 0, map }: ReadWrites,
  now: number,
): void {
  const unknown = (count: number) => Array.from({ length: count }, () => null);
  const { steps } = verifyHolds(events, { links: unknown(links), patches: unknown(patches), now });
  const held = steps.find(({ state }) => state === 'failed');
  if (held) throw incomplete(`Of ${avatar}: ${held.detail}`, map);
}

/**
 * Demands of bindings that the server calls valid that none was made behind the last link which the owner names.
 * @param links the chain of the Avatar
 * @param made the links of it that made them
 * @param said what the server says of each
 * @throws VerificationError (`incomplete`)
 */
export function demandOwn(
  avatar: string,
  { links, made, said }: { links: ChainLink[]; made: CheckedLink[]; said: { is_valid: boolean }[] },
  keys: KeyState,
  map: Pick<Completeness, 'size'>,
): void {
  const last = lastPlace(links, keys, 'since_link');
  const isStolen = ({ link }: CheckedLink, index: number) =>
    said[index]!.is_valid && links.findIndex(({ uuid }) => uuid === link.uuid) > last;
  const stolen = made.find(isStolen);
  if (!stolen) return;
  const behind = 'was made behind the last link that its owner names as their own';
  throw incomplete(`The binding ${nameOf(stolen.link)} of ${avatar} is shown as valid, and ${behind}.`, map);
}

/** What the key events say of an Avatar stands in its group, whatever the server wrote there. */
export function applyKeys(group: IdentityGroup, { isFrozen, succession }: KeyState): void {
  delete group.frozen;
  delete group.successor;
  if (isFrozen) group.frozen = true;
  if (succession) group.successor = succession.successor as Hex;
}

/**
 * The entries of content that count: what patches up to `since_patch` of a succession add up to, in the place of what
 * all patches do.
 * @param shown by the server
 * @returns null where that is neither of the two
 */
export async function ownEntries(
  reads: CheckedReads,
  { avatar, patches, shown, keys }: { avatar: string; patches: KvPatch[]; shown: Entries; keys: KeyState },
  signal: AbortSignal | undefined,
): Promise<Entries | null> {
  const own = patches.slice(0, lastPlace(patches, keys, 'since_patch') + 1);
  if (await addsUp(reads, avatar, own, { proofs: shown }, signal)) return shown;
  if (own.length === patches.length) return null;
  if (!(await addsUp(reads, avatar, patches, { proofs: shown }, signal))) return null;
  const signers = own.some((patch) => (patch as SignedPatch).signer !== undefined)
    ? await readPatchSigners(reads, avatar, signal)
    : undefined;
  return verifyPatchChain(own as SignedPatch[], { avatar, signers }).entries as Entries;
}

/** The place in a chain of the last record that counts; Infinity where all do, -1 where none does. */
function lastPlace(
  records: Pick<ChainLink, 'uuid'>[],
  { succession }: KeyState,
  since: 'since_link' | 'since_patch',
): number {
  return succession ? records.findIndex(({ uuid }) => uuid === succession[since]) : Infinity;
}
