import { Column } from 'typeorm';

/** What the records of all signed chains have in common: one row of a chain's table, append-only. */
export abstract class SignedRecord {
  /** Compressed key, `0x` and 66 hex digits. */
  @Column('text')
  avatar: string;

  /** 1 for the first record of the Avatar; the predecessor is the record at the position before. */
  @Column('integer')
  positionInChain: number;

  /** When the payload was issued. */
  @Column('timestamptz')
  createdAt: Date;

  /** When the record was accepted, by the clock of the database. */
  @Column('timestamptz')
  recordedAt: Date;

  @Column('uuid')
  uuid: string;

  /** Base64 as submitted; of a link also standard Base64 of the bytes that were found in the post. */
  @Column('text')
  signature: string;

  /** The exact text that was signed. */
  @Column('text')
  signaturePayload: string;
}

export abstract class IdentityRecord extends SignedRecord {
  @Column('text')
  platform: string;

  /** Canonical identity. */
  @Column('text')
  identity: string;
}

/** The newest record of a chain, as the next one follows it. */
export type ChainHead = Pick<SignedRecord, 'signature' | 'createdAt'>;
