import { Column } from 'typeorm';

/**
 * The current state of one binding: derived from the newest create link of (avatar, platform, identity) and from the
 * checks since.
 */
export class Proof {
  @Column('bigint')
  id: number;

  /** Compressed key. */
  @Column('text')
  avatar: string;

  @Column('text')
  platform: string;

  /** Canonical identity. */
  @Column('text')
  identity: string;

  /**
   * `identity` folded to one letter case by JavaScript, so that an ambiguous match is the same on every database
   * locale.
   */
  @Column('text')
  identityFolded: string;

  @Column('text')
  proofLocation: string;

  /** The create link that this state rests on. */
  @Column('bigint')
  linkId: number;

  @Column('timestamptz')
  createdAt: Date;

  @Column('timestamptz')
  lastCheckedAt: Date;

  @Column('boolean')
  isValid: boolean;

  /** `''` while valid. */
  @Column('text')
  invalidReason: string;

  /** The platform's stable id of the account; the same name with another id is another account. */
  @Column('text')
  accountId: string | null;

  /** The chain on which a contract wallet confirmed the signature; null for everything else. */
  @Column('bigint')
  chainId: number | null;

  /** When the platform first answered "gone"; a second "gone" turns the proof invalid (docs/design/decisions.md 6). */
  @Column('timestamptz')
  goneSince: Date | null;

  /** When the next recheck is due, which is also its lease; null where nothing is rechecked. */
  @Column('timestamptz')
  nextCheckAt: Date | null;

  /** Finished rechecks since the newest create, which decide the next step of the schedule. */
  @Column('integer')
  checksDone: number;

  /** Tries in a row without a result, which decide how long to back off. */
  @Column('integer')
  checkFailures: number;
}
