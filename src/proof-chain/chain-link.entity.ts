import type { Erasure } from '@signet/verify';
import { Column } from 'typeorm';
import { IdentityRecord } from '../ledger/signed-record.js';

export type LinkAction = 'create' | 'delete';

/** The members of a submitted `extra` that are kept with the link and answered again. */
export interface LinkExtra {
  /** The wallet's signature as submitted. */
  wallet_signature?: string;
  /** Base64 of what a Solana wallet signed, where that does not follow from the signed text. */
  wallet_message?: string;
  /** A page bears the link out that names the key by `rel="me"`, and holds no signature. */
  rel?: 'me';
  [fact: string]: string | number | undefined;
}

/**
 * One signed create or delete record of a ProofChain (contract, Chain link). Append-only: only `archiveId` is filled in
 * later, and the texts may be erased for legal reasons.
 */
export class ChainLink extends IdentityRecord {
  /** Gapless and ascending in the order in which links became visible; the cursor of the feed. */
  @Column('bigint')
  id: number;

  @Column('text')
  action: LinkAction;

  @Column('text')
  proofLocation: string;

  @Column('jsonb')
  extra: LinkExtra;

  /** Transaction id in the permanent storage; `''` until it is confirmed. */
  @Column('text')
  archiveId: string;

  /** Null unless the texts were erased: identity, location, signed text and `extra` are empty then. */
  @Column('jsonb')
  erased: Erasure | null;
}
