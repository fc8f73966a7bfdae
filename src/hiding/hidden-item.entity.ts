import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** `identity`: an account, whoever holds it; `key`: an Avatar; `profile`: what an Avatar says about itself. */
export type HiddenKind = 'identity' | 'key' | 'profile';

export const HIDDEN_KINDS: HiddenKind[] = ['identity', 'key', 'profile'];

/** Something that an operator has hidden from the page, or had: a row is never removed. */
@Entity('hidden_item')
export class HiddenItem {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column({ type: 'text' })
  kind: HiddenKind;

  /** Of an identity; `''` otherwise. */
  @Column({ type: 'text', default: '' })
  platform: string;

  /** Canonical; `''` unless it is an identity. */
  @Column({ type: 'text', default: '' })
  identity: string;

  /** Compressed key; `''` of an identity. */
  @Column({ type: 'text', default: '' })
  avatar: string;

  /** Why, as the page says it. */
  @Column({ type: 'text' })
  reason: string;

  @Column({ type: 'timestamptz', insert: false })
  hiddenAt: Date;

  /** Null while it is hidden. */
  @Column({ type: 'timestamptz', nullable: true })
  liftedAt: Date | null;

  /** Why it is shown again; `''` while it is hidden. */
  @Column({ type: 'text', default: '' })
  liftedReason: string;
}
