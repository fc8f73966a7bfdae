import { PrimaryColumn } from 'typeorm';

/** What rows have in common of which there is one for each identity of an Avatar. */
export abstract class IdentityRow {
  /** Compressed key. */
  @PrimaryColumn({ type: 'text' })
  avatar: string;

  @PrimaryColumn({ type: 'text' })
  platform: string;

  /** Canonical identity. */
  @PrimaryColumn({ type: 'text' })
  identity: string;
}
