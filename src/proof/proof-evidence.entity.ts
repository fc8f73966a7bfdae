import { Column } from 'typeorm';
import { IdentityRow } from '../ledger/identity-row.js';

/** What was read at the last successful check of a binding, so that it can be explained after the platform is gone. */
export class ProofEvidence extends IdentityRow {
  /** What was read: a URL or the name of a record. */
  @Column('text')
  url: string;

  @Column('timestamptz')
  seenAt: Date;

  /** Lowercase hex SHA-256 of the bytes that were read. */
  @Column('text')
  sha256: string;

  /** The platform's stable id of the account; `''` where it has none. */
  @Column('text')
  accountId: string;

  /**
   * The text in which the signature was found, up to 4 KiB; `''` where a page names the key alone, and after the
   * binding was deleted.
   */
  @Column('text')
  matchedText: string;

  /** The page of the account as its own server wrote it; `''` where the platform's guide says it, or nothing does. */
  @Column('text')
  profileUrl: string;

  /** JSON of what the platform has signed of that; `''` where it signs nothing, and after the binding was deleted. */
  @Column('text')
  proof: string;

  /** JSON of what the platform has signed of its end, such as that the record is gone; `''` while it is there. */
  @Column('text')
  goneProof: string;
}
