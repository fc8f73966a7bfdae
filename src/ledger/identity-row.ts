import { Column } from 'typeorm';

/** What rows have in common of which there is one for each identity of an Avatar. */
export abstract class IdentityRow {
  /** Compressed key. */
  @Column('text')
  avatar: string;

  @Column('text')
  platform: string;

  /** Canonical identity. */
  @Column('text')
  identity: string;
}
