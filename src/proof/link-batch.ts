import { AlreadyRecordedError, ProofRejectedError, StaleChainError } from '../domain/domain-errors.js';
import type { ValidVerdict } from '../platform/platform-verifier.js';
import type { NewLink } from '../proof-chain/proof-chain.service.js';

/** A link that passed every check, and what the platform said of a create. */
export interface NewRecord {
  link: NewLink;
  /** Null for a delete, for which nobody is asked. */
  verdict: ValidVerdict | null;
  checkedAt: Date;
}

/** What the database holds that decides about one link, under the append lock. */
export interface LinkState {
  /** Signature of the newest link of the Avatar, or null. */
  head: string | null;
  /** Links of the Avatar. */
  length: number;
  /** Whether a link with this uuid is there. */
  isRecorded: boolean;
  /** Whether the Avatar holds this binding. */
  isHeld: boolean;
  /** Bindings of the Avatar. */
  bindings: number;
}

/** A link with the id and the position that it is recorded with. */
export interface AcceptedRecord extends NewRecord {
  id: number;
  positionInChain: number;
}

/** What comes of the links of one batch; each is told by its index. */
export interface Judgement {
  accepted: Map<number, AcceptedRecord>;
  refused: Map<number, Error>;
  /** They follow a link of this very batch, so they are judged again when it is written. */
  later: number[];
}

/**
 * Decides about links that come at the same moment, in the order in which they came, as if each had a transaction of
 * its own.
 * @param states as the database has them before any of these links.
 * @param limit bindings of one Avatar.
 */
export function judgeLinks(records: NewRecord[], states: LinkState[], newestId: number, limit: number): Judgement {
  const judgement: Judgement = { accepted: new Map(), refused: new Map(), later: [] };
  const heads = new Map<string, string>();
  const uuids = new Set<string>();
  for (const [index, record] of records.entries()) {
    const { avatar, uuid, previous, signature } = record.link;
    const state = states[index]!;
    const newHead = heads.get(avatar.compressed);
    if (uuids.has(uuid)) judgement.refused.set(index, new AlreadyRecordedError(uuid));
    else if (newHead !== undefined && newHead === previous) judgement.later.push(index);
    else {
      const refusal = newHead === undefined ? refusalOf(record, state, limit) : refusalBehind(state, uuid);
      if (refusal) judgement.refused.set(index, refusal);
      else {
        const id = newestId + judgement.accepted.size + 1;
        judgement.accepted.set(index, { ...record, id, positionInChain: state.length + 1 });
        heads.set(avatar.compressed, signature);
        uuids.add(uuid);
      }
    }
  }
  return judgement;
}

function refusalOf({ link }: NewRecord, state: LinkState, limit: number): Error | null {
  if (state.isRecorded) return new AlreadyRecordedError(link.uuid);
  // Before the binding is looked at: it may be what it is because the chain has moved on.
  if (state.head !== link.previous) return new StaleChainError();
  if (link.action === 'create' && !state.isHeld && state.bindings >= limit) {
    return new ProofRejectedError(
      `This Avatar holds ${limit} bindings, which is the limit; delete one first.`,
      'too_many_bindings',
    );
  }
  if (link.action === 'delete' && !state.isHeld) {
    return new ProofRejectedError(
      `There is nothing to delete: this Avatar holds no binding of "${link.identity}" on ${link.platform}.`,
      'binding_not_found',
    );
  }
  return null;
}

/** Of a link behind another one of its Avatar in the batch that was signed on another head. */
function refusalBehind(state: LinkState, uuid: string): Error {
  return state.isRecorded ? new AlreadyRecordedError(uuid) : new StaleChainError();
}
