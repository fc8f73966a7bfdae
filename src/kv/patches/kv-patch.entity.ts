import type { Erasure } from '@signet/verify';
import { Column } from 'typeorm';
import { IdentityRecord } from '../../ledger/signed-record.js';

/**
 * One signed patch of an Avatar's chain, kept whole, so that the chain can be replayed. Append-only, but for texts that
 * are erased for legal reasons.
 */
export class KvPatch extends IdentityRecord {
  /** Assigned before the commit, so it has gaps and late arrivals; the order of a chain is `positionInChain`. */
  @Column('bigint')
  id: number;

  /** Number of the patch in the feed of all patches; null until it has one, see `KvFeed`. */
  @Column('bigint')
  feedId: number | null;

  /** Canonical JSON. Text and not `jsonb`, so that the answer is byte for byte the signed text. */
  @Column('text')
  patch: string;

  /** The key of an app that signed it, `<algorithm>:0x<hex>`; null where the Avatar did. */
  @Column('text')
  signer: string | null;

  /** Null unless the texts were erased: identity and signed text are empty then, and the patch is `{}`. */
  @Column('jsonb')
  erased: Erasure | null;
}
