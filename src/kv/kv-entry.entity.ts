import { Column, Entity } from 'typeorm';
import { IdentityRow } from '../ledger/identity-row.js';

/** The content of one (Avatar, platform, identity): the result of replaying the Avatar's patches for it. */
@Entity('kv_entry')
export class KvEntry extends IdentityRow {
  /** Canonical JSON of an object. */
  @Column({ type: 'text' })
  content: string;

  /** Bytes of `content`, counted by the database. */
  @Column({ type: 'integer', insert: false, update: false })
  contentBytes: number;

  /** When the last patch was applied, by the clock of the database. */
  @Column({ type: 'timestamptz', insert: false })
  updatedAt: Date;
}
