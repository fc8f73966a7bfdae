import type { KeyAction } from '@signet/verify/key-events';
import { Column } from 'typeorm';
import { SignedRecord } from '../ledger/signed-record.js';

/** One key event of an Avatar (docs/keys.md). Append-only: nothing in it is free text, so nothing is ever erased. */
export class KeyEvent extends SignedRecord {
  /** Gapless and ascending in the order in which events became visible; the cursor of the feed. */
  @Column('bigint')
  id: number;

  @Column('text')
  action: KeyAction;

  /** What is signed for this action: canonical JSON. */
  @Column('text')
  fields: string;

  /** `main`, or the name of a recovery key. */
  @Column('text')
  signer: string;

  @Column('text')
  cosigner: string | null;

  /** Compressed key, of a succession. */
  @Column('text')
  successor: string | null;

  /** How many links the Avatar had. */
  @Column('integer')
  links: number;

  /** How many patches it had. */
  @Column('integer')
  patches: number;

  /** When a commit or a succession takes effect, and a freeze ends; otherwise when the event was recorded. */
  @Column('timestamptz')
  dueAt: Date;

  @Column('text')
  cosignature: string | null;

  @Column('text')
  successorSignature: string | null;
}
