import { AlreadyRecordedError, StaleChainError } from '../domain/domain-errors.js';
import type { ChainState, SignedItem } from './signed-chain.js';

/** What comes of the items of one batch; each is told by its index. */
export interface Judgement<Accepted> {
  accepted: Map<number, Accepted>;
  refused: Map<number, Error>;
  /** They follow an item of this very batch, so they are judged again when it is written. */
  later: number[];
}

/**
 * Decides about items that come at the same moment, in the order in which they came, as if each had a transaction of
 * its own: whether each is the next one of its chain, and then what `accept` says.
 * @param states as the database has them before any of these items.
 * @param accept what becomes of the item with this index, which is the next one of its chain, or why it is refused.
 */
export function judgeBatch<Accepted>(
  items: SignedItem[],
  states: ChainState[],
  accept: (index: number) => Accepted | Error,
): Judgement<Accepted> {
  const judgement: Judgement<Accepted> = { accepted: new Map(), refused: new Map(), later: [] };
  const heads = new Map<string, string>();
  const uuids = new Set<string>();
  for (const [index, { avatar, uuid, previous, signature }] of items.entries()) {
    const { head, isRecorded } = states[index]!;
    const newHead = heads.get(avatar.compressed);
    if (isRecorded || uuids.has(uuid)) judgement.refused.set(index, new AlreadyRecordedError(uuid));
    else if (newHead === previous) judgement.later.push(index);
    // Before anything else is looked at: it may be what it is because the chain has moved on.
    else if (newHead !== undefined || head !== previous) judgement.refused.set(index, new StaleChainError());
    else {
      const outcome = accept(index);
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
