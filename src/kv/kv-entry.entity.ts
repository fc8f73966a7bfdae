import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The content of one (Avatar, platform, identity): the result of replaying the Avatar's patches for it. */
@Entity('kv_entry')
export class KvEntry {
  /** Compressed key. */
  @PrimaryColumn({ type: 'text' })
  avatar: string;

  @PrimaryColumn({ type: 'text' })
  platform: string;

  /** Canonical identity. */
  @PrimaryColumn({ type: 'text' })
  identity: string;

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
