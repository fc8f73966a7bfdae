import { AlreadyRecordedError, StaleChainError } from '../domain/domain-errors.js';
import { heldError } from '../holds/avatar-holds.js';
import type { ChainState, SignedItem } from './signed-chain.js';

/** The decisions about the items of one round, by their indexes. */
export interface Judgement<Accepted> {
  accepted: Map<number, Accepted>;
  refused: Map<number, Error>;
  /** Items that follow an item of this very round, to be judged again when that one is written. */
  later: number[];
}

/**
 * Decides about items that come at the same moment, in the order in which they came, as if each had a transaction of
 * its own: first whether each is the next one of its chain, then by `accept`.
 * @param states what the database holds before any of these items. Items behind the last state are not judged.
 * @param accept the rules of the kind: what to write, or why the item is refused; `before` is the number of items of
 *   this round that were accepted before it
 */
export function judgeBatch<Item extends SignedItem, State extends ChainState, Accepted>(
  items: Item[],
  states: State[],
  accept: (item: Item, state: State, before: number) => Accepted | Error,
): Judgement<Accepted> {
  const judgement: Judgement<Accepted> = { accepted: new Map(), refused: new Map(), later: [] };
  const heads = new Map<string, string>();
  const uuids = new Set<string>();
  for (const [index, state] of states.entries()) {
    const item = items[index]!;
    const { avatar, uuid, previous, signature } = item;
    const newHead = heads.get(avatar.compressed);
    if (state.isRecorded || uuids.has(uuid)) judgement.refused.set(index, new AlreadyRecordedError(uuid));
    else if (newHead === previous) judgement.later.push(index);
    // Before the rules of the kind: what they would refuse may have been right on the head it was signed on.
    else if (newHead !== undefined || state.head !== previous) judgement.refused.set(index, new StaleChainError());
    else if (state.hold) judgement.refused.set(index, heldError(state.hold));
    else {
      const outcome = accept(item, state, judgement.accepted.size);
      if (outcome instanceof Error) judgement.refused.set(index, outcome);
      else {
        judgement.accepted.set(index, outcome);
        heads.set(avatar.compressed, signature);
        uuids.add(uuid);
      }
    }
  }
  return judgement;
}
