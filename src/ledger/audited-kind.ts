import type { Erasure, PatchSigners, Verification } from '@signet/verify';
import type { BindingEvent } from '../domain/domain-events.js';

/** Reads rows, all in one transaction. */
export type AuditQuery = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

export interface ChainPosition {
  /** Compressed key. */
  avatar: string;
  /** 1 for the first. */
  position: number;
}

/** A signed row of a chain, with the members that the rules check. */
export interface SignedRow extends ChainPosition {
  id: number;
  platform: string;
  identity: string;
  uuid: string;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signature_payload: string;
  /** The key of an app that signed it, of kinds whose rows such keys may sign; else null or absent. */
  appSigner?: string | null;
  /** Only where the texts were erased. */
  erased?: Erasure;
  /** Whether there is an erasure of this row, which the log takes in. */
  isErasureKnown: boolean;
}

/** The check of one chain, and of the bindings or entries that follow from it. */
export interface AuditedChain<Row extends SignedRow, Derived extends BindingEvent> {
  /** Checks the next row by the rules of its kind. @throws AuditFinding */
  add(row: Row, previous: Row | null): Verification;
  /** Compares a row that the whole chain should have led to. @throws AuditFinding */
  compare(derived: Derived): void;
  /** @throws AuditFinding if `compare` was not called for all that the chain leads to */
  assertAllCompared(): void;
}

/** How the rows of a kind of signed chains are read and checked, and its words for messages. */
export interface AuditedKind<Row extends SignedRow, Derived extends BindingEvent> {
  title: string;
  /** Of one row, as a sentence begins with it. */
  word: string;
  rows: string;
  derivedRows: string;
  /**
   * Selects some rows behind the position of Avatar `$1` and number `$2`, ordered by both.
   * @param signed the columns of a `SignedRow`
   */
  rowsSql(signed: string): string;
  /** Selects the rows that follow from the chains of the Avatars `$1`. */
  derivedSql: string;
  /** @param signers the keys of apps of this Avatar, known before a row that one of them signed is added */
  newChain(avatar: string, signers: PatchSigners): AuditedChain<Row, Derived>;
  /** Of the kind that says which keys of apps may sign: reads those of an Avatar. */
  signersOf?: (query: AuditQuery, avatar: string) => Promise<PatchSigners>;
  /** Checks what needs all chains of this many rows. @throws AuditFinding */
  conclude(query: AuditQuery, rows: number): Promise<void>;
}

/** The audit found stored data that is wrong. The message is one sentence for people. */
export class AuditFinding extends Error {}

/** A record is not as it was signed, or what follows from it is missing. The message names the row. */
export class BadRow extends AuditFinding {
  constructor(word: string, { id, avatar, position }: SignedRow, what: string) {
    super(`${word} ${id} (Avatar ${avatar}, position ${position}): ${what}.`);
  }
}
