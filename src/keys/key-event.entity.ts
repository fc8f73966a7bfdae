import type { KeyAction } from '@signet/verify/key-events';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SignedRecord } from '../ledger/signed-record.js';

/** One key event of an Avatar (docs/keys.md). Append-only: nothing in it is free text, so nothing is ever erased. */
@Entity('key_event')
export class KeyEvent extends SignedRecord {
  /** Gapless and ascending in the order in which events became visible; the cursor of the feed. */
  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'text' })
  action: KeyAction;

  /** What is signed for this action: canonical JSON. */
  @Column({ type: 'text' })
  fields: string;

  /** `main`, or the name of a recovery key. */
  @Column({ type: 'text' })
  signer: string;

  @Column({ type: 'text', nullable: true })
  cosigner: string | null;

  /** Compressed key, of a succession. */
  @Column({ type: 'text', nullable: true })
  successor: string | null;

  /** How many links the Avatar had. */
  @Column({ type: 'integer' })
  links: number;

  /** How many patches it had. */
  @Column({ type: 'integer' })
  patches: number;

  /** When a commit or a succession takes effect, and a freeze ends; otherwise when the event was recorded. */
  @Column({ type: 'timestamptz' })
  dueAt: Date;

  @Column({ type: 'text', nullable: true })
  cosignature: string | null;

  @Column({ type: 'text', nullable: true })
  successorSignature: string | null;
}
