import { Column } from 'typeorm';
import { IdentityRow } from '../ledger/identity-row.js';

/** The content of one (Avatar, platform, identity): the result of replaying the Avatar's patches for it. */
export class KvEntry extends IdentityRow {
  /** Canonical JSON of an object. */
  @Column('text')
  content: string;

  /** Bytes of `content`, counted by the database. */
  @Column('integer')
  contentBytes: number;

  /** When the last patch was applied, by the clock of the database. */
  @Column('timestamptz')
  updatedAt: Date;
}
