import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The current state of one binding: derived from the newest create link of (avatar, platform, identity) and from the
 * checks since.
 */
@Entity('proof')
export class Proof {
  @PrimaryColumn({ type: 'bigint', generated: 'increment' })
  id: number;

  /** Compressed key. */
  @Column({ type: 'text' })
  avatar: string;

  @Column({ type: 'text' })
  platform: string;

  /** Canonical identity. */
  @Column({ type: 'text' })
  identity: string;

  /**
   * `identity` folded to one letter case by JavaScript, so that an ambiguous match is the same on every database
   * locale.
   */
  @Column({ type: 'text' })
  identityFolded: string;

  @Column({ type: 'text' })
  proofLocation: string;

  /** The create link that this state rests on. */
  @Column({ type: 'bigint' })
  linkId: number;

  @Column({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz' })
  lastCheckedAt: Date;

  @Column({ type: 'boolean' })
  isValid: boolean;

  /** `''` while valid. */
  @Column({ type: 'text' })
  invalidReason: string;

  /** The platform's stable id of the account; the same name with another id is another account. */
  @Column({ type: 'text', nullable: true })
  accountId: string | null;

  /** The chain on which a contract wallet confirmed the signature; null for everything else. */
  @Column({ type: 'bigint', nullable: true })
  chainId: number | null;

  /** When the platform first answered "gone"; a second "gone" turns the proof invalid (docs/design/decisions.md 6). */
  @Column({ type: 'timestamptz', nullable: true })
  goneSince: Date | null;

  /** When the next recheck is due, which is also its lease; null where nothing is rechecked. */
  @Column({ type: 'timestamptz', nullable: true })
  nextCheckAt: Date | null;

  /** Finished rechecks since the newest create, which decide the next step of the schedule. */
  @Column({ type: 'integer' })
  checksDone: number;

  /** Tries in a row without a result, which decide how long to back off. */
  @Column({ type: 'integer' })
  checkFailures: number;
}
