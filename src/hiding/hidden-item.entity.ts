import { Column } from 'typeorm';

/** `identity`: an account, whoever holds it; `key`: an Avatar; `profile`: what an Avatar says about itself. */
export type HiddenKind = 'identity' | 'key' | 'profile';

export const HIDDEN_KINDS: HiddenKind[] = ['identity', 'key', 'profile'];

/** Something that an operator has hidden from the page, or had: a row is never removed. */
export class HiddenItem {
  @Column('uuid')
  id: string;

  @Column('text')
  kind: HiddenKind;

  /** Of an identity; `''` otherwise. */
  @Column('text')
  platform: string;

  /** Canonical; `''` unless it is an identity. */
  @Column('text')
  identity: string;

  /** Compressed key; `''` of an identity. */
  @Column('text')
  avatar: string;

  /** Why, as the page says it. */
  @Column('text')
  reason: string;

  @Column('timestamptz')
  hiddenAt: Date;

  /** Null while it is hidden. */
  @Column('timestamptz')
  liftedAt: Date | null;

  /** Why it is shown again; `''` while it is hidden. */
  @Column('text')
  liftedReason: string;
}
