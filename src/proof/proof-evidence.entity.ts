import { Column, Entity } from 'typeorm';
import { IdentityRow } from '../ledger/identity-row.js';

/** What was read at the last successful check of a binding, so that it can be explained after the platform is gone. */
@Entity('proof_evidence')
export class ProofEvidence extends IdentityRow {
  /** What was read: a URL or the name of a record. */
  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'timestamptz' })
  seenAt: Date;

  /** Lowercase hex SHA-256 of the bytes that were read. */
  @Column({ type: 'text' })
  sha256: string;

  /** The platform's stable id of the account; `''` where it has none. */
  @Column({ type: 'text' })
  accountId: string;

  /**
   * The text in which the signature was found, up to 4 KiB; `''` where a page names the key alone, and after the
   * binding was deleted.
   */
  @Column({ type: 'text' })
  matchedText: string;

  /** The page of the account as its own server wrote it; `''` where the platform's guide says it, or nothing does. */
  @Column({ type: 'text' })
  profileUrl: string;

  /** JSON of what the platform has signed of that; `''` where it signs nothing, and after the binding was deleted. */
  @Column({ type: 'text' })
  proof: string;

  /** JSON of what the platform has signed of its end, such as that the record is gone; `''` while it is there. */
  @Column({ type: 'text' })
  goneProof: string;
}
