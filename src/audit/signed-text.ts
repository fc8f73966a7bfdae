import type { Erasure } from '@signet/verify';
import type { Step, Verification } from '@signet/verify';
import type { ChainPosition } from './chain-walk.js';

/** A signed row of a chain: a link or a patch. */
export interface SignedRow extends ChainPosition {
  id: number;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  text: string;
  /** Null unless the texts were erased. */
  erased: Erasure | null;
  /** Whether there is an erasure of this row, which the log takes in. */
  isErasureKnown: boolean;
}

/** The columns `erased` and `isErasureKnown` of a row. @param number its number in its feed, an SQL expression */
export function erasureOf(kind: 'link' | 'kv', number: string): string {
  return `erased, exists (select from erasure where kind = '${kind}' and record_id = ${number}) as "isErasureKnown"`;
}

/** Returns what is wrong with the erasure of a row, or null. */
export function problemOfErasure({ erased, isErasureKnown }: SignedRow): string | null {
  if ((erased !== null) === isErasureKnown) return null;
  return erased ? 'its text is gone, and no erasure says so' : 'its text is there, and an erasure says that it is gone';
}

/** The audit found stored data that is wrong. The message is one sentence for people. */
export class AuditFinding extends Error {}

/** A link or patch is not as it was signed, or what follows from it is missing. The message names the row. */
export class BadRow extends AuditFinding {
  constructor(kind: 'Link' | 'Patch', { id, avatar, position }: SignedRow, what: string) {
    super(`${kind} ${id} (Avatar ${avatar}, position ${position}): ${what}.`);
  }
}

/** Returns what is wrong with the position of a row after `previous`, or null. */
export function problemOfPosition(row: SignedRow, previous: SignedRow | null): string | null {
  const expected = (previous?.position ?? 0) + 1;
  return row.position === expected ? null : `the chain has nothing at position ${expected}`;
}

/** Returns the explanation of the first failed step as part of a sentence, or null if no step failed. */
export function problemIn({ steps }: Verification): string | null {
  const failure = steps.find(({ state }: Step) => state === 'failed');
  return failure ? failure.detail[0]!.toLowerCase() + failure.detail.slice(1, -1) : null;
}
