import type { Erasure } from '@signet/verify';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One signed patch of an Avatar's chain, kept whole, so that the chain can be replayed. Append-only, but for texts that
 * are erased for legal reasons.
 */
@Entity('kv_patch')
export class KvPatch {
  /** Assigned before the commit, so it has gaps and late arrivals; the order of a chain is `positionInChain`. */
  @PrimaryColumn({ type: 'bigint', insert: false })
  id: number;

  /** Number of the patch in the feed of all patches; null until it has one, see `KvFeed`. */
  @Column({ type: 'bigint', nullable: true, insert: false })
  feedId: number | null;

  /** Compressed key, `0x` and 66 hex digits. */
  @Column({ type: 'text' })
  avatar: string;

  /** 1 for the first patch of the Avatar; the predecessor is the patch at the position before. */
  @Column({ type: 'integer' })
  positionInChain: number;

  @Column({ type: 'text' })
  platform: string;

  /** Canonical identity. */
  @Column({ type: 'text' })
  identity: string;

  /** Canonical JSON. Text and not `jsonb`, so that the answer is byte for byte the signed text. */
  @Column({ type: 'text' })
  patch: string;

  /** When the payload was issued. */
  @Column({ type: 'timestamptz' })
  createdAt: Date;

  /** When the patch was accepted, by the clock of the database. */
  @Column({ type: 'timestamptz', insert: false })
  recordedAt: Date;

  @Column({ type: 'uuid' })
  uuid: string;

  /** Base64 as submitted. */
  @Column({ type: 'text' })
  signature: string;

  /** The exact text that was signed. */
  @Column({ type: 'text' })
  signaturePayload: string;

  /** Null unless the texts were erased: identity and signed text are empty then, and the patch is `{}`. */
  @Column({ type: 'jsonb', nullable: true, insert: false })
  erased: Erasure | null;
}
