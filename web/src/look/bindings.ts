/** The bindings of an Avatar: what the server says of each, held against the chain that was checked here. */
import type { ChainLink, IdentityGroup, ProofRecord } from '@signet/sdk';
import { bindingKey, LiveLinks } from '@signet/verify/internal/chains';
import type { CheckState } from '../parts/signs.js';
import type { KeysRead } from '../recovery/keys-of.js';
import type { Asked } from '../shell/use-answer.js';
import type { Moment } from './one-moment.js';
import type { Checked, CheckedList } from '../chain/use-chain.js';

/** One binding of an Avatar. */
export interface Binding {
  platform: string;
  identity: string;
  avatar: string;
  /** What the server says; null where its list leaves out what the chain has. */
  proof: ProofRecord | null;
  /** The link that made it, and what its checks said. */
  made: Checked<ChainLink> | null;
  /** What came of it here. */
  checked: CheckState;
  /** Whether it counts for nothing: it was made behind the last link of the owner, whose key was stolen. */
  isVoid?: boolean;
}

/** The bindings that the server or the chain has, newest first. */
export function bindingsOf(group: IdentityGroup | null, chain: CheckedList<ChainLink>, avatar: string): Binding[] {
  const live = liveLinks(chain.items);
  const said = (group?.proofs ?? []).map((proof): Binding => {
    const link = live.get(bindingKey(proof));
    const made = link?.item.created_at === proof.created_at ? link : null;
    return { platform: proof.platform, identity: proof.identity, avatar, proof, made, checked: stateOf(made, chain) };
  });
  if (!chain.isComplete) return said;
  const names = new Set(said.map(bindingKey));
  const leftOut = [...live.values()].filter(({ item }) => !names.has(bindingKey(item)));
  const hidden = leftOut.map((made): Binding => {
    const { platform, identity } = made.item;
    return { platform, identity, avatar, proof: null, made, checked: stateOf(made, chain) };
  });
  return [...hidden, ...said];
}

/** What is bound at the end of a chain, by the fields of its links. */
function liveLinks(links: Checked<ChainLink>[]): Map<string, Checked<ChainLink>> {
  const live = new LiveLinks<Checked<ChainLink>>();
  for (const link of links) live.add(link.item, link);
  return live.items;
}

/**
 * The bindings as they may be shown: while a contradiction between list and chain is not known to be one of the server,
 * what contradicts is waited for, or was not checked where it could not be read again.
 */
export function shownBindings(bindings: Binding[], moment: Moment): Binding[] {
  if (moment === 'settled') return bindings;
  const checked = moment === 'reading' ? 'waiting' : 'not_checkable';
  return bindings
    .filter(({ proof }) => proof !== null)
    .map((binding) => (isContradiction(binding) ? { ...binding, checked } : binding));
}

/**
 * Bindings with what the key events of their Avatar make of them: behind a succession that is final, what was made
 * after the last link of the owner counts for nothing. Nothing is said to hold before the key events are known.
 */
export function boundByKeys(
  bindings: Binding[],
  links: CheckedList<ChainLink>,
  keys: Asked<KeysRead | null>,
): Binding[] {
  if (keys.state !== 'there' || keys.value?.ok === false) {
    const checked = keys.state === 'waiting' ? 'waiting' : 'not_checkable';
    return bindings.map((binding) => (binding.checked === 'ok' ? { ...binding, checked } : binding));
  }
  const succession = keys.value?.state.succession;
  if (!succession) return bindings;
  const placeOf = (uuid: string) => links.items.findIndex(({ item }) => item.uuid === uuid);
  const last = succession.since_link === null ? -1 : placeOf(succession.since_link);
  return bindings.map((binding) => {
    const isVoid = binding.made !== null && placeOf(binding.made.item.uuid) > last;
    return isVoid
      ? { ...binding, isVoid, checked: binding.checked === 'ok' ? 'not_checkable' : binding.checked }
      : binding;
  });
}

/** Whether the server lists what no link makes, or leaves out what a link makes. */
export function isContradiction({ proof, made, checked }: Binding): boolean {
  return proof === null || (made === null && checked === 'failed');
}

/** Whether two answers list the same bindings. */
export function listsTheSame(one: IdentityGroup | null, other: IdentityGroup | null): boolean {
  const textOf = (group: IdentityGroup | null) =>
    JSON.stringify((group?.proofs ?? []).map((proof) => [bindingKey(proof), proof.created_at]).sort());
  return textOf(one) === textOf(other);
}

/** Whether the signature of a wallet was checked here. That of a contract wallet cannot be. */
export function isWalletSignatureChecked({ made }: Binding): boolean {
  return made?.steps.some(({ name, state }) => name === 'wallet_signature' && state === 'ok') === true;
}

/** A wallet of one key is checked whole; of other identities only the Avatar's half is. */
function stateOf(made: Checked<ChainLink> | null, chain: CheckedList<ChainLink>): CheckState {
  if (made) return made.ok ? 'ok' : 'failed';
  if (chain.error !== undefined) return 'not_checkable';
  return chain.isComplete ? 'failed' : 'waiting';
}
