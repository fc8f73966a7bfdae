import { ProofRejectedError } from '../domain/domain-errors.js';
import { judgeBatch, type Judgement } from '../payload/judge-batch.js';
import type { ChainState } from '../payload/signed-chain.js';
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
export interface LinkState extends ChainState {
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

/**
 * Decides about links of one batch: see `judgeBatch`.
 * @param limit bindings of one Avatar.
 */
export function judgeLinks(
  records: NewRecord[],
  states: LinkState[],
  newestId: number,
  limit: number,
): Judgement<AcceptedRecord> {
  let id = newestId;
  return judgeBatch(
    records.map(({ link }) => link),
    states,
    (index) => {
      const [record, state] = [records[index]!, states[index]!];
      const refusal = refusalOf(record.link, state, limit);
      if (refusal) return refusal;
      id += 1;
      return { ...record, id, positionInChain: state.length + 1 };
    },
  );
}

function refusalOf(link: NewLink, state: LinkState, limit: number): Error | null {
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
