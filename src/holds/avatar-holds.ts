import { ProofRejectedError } from '../domain/domain-errors.js';

/** The table of Avatars whose keys stop their writes: at most one row each, which follows from their key events. */
export const HOLDS_TABLE = 'avatar_hold';

/** SQLSTATE of the trigger that refuses records of such an Avatar; its hint is a `Hold`. */
const HELD_STATE = 'SG001';

/** Why an Avatar cannot write: its keys are frozen, or another Avatar has succeeded it. */
export type Hold = 'frozen' | 'succeeded';

/** Whether the row `alias` of the table stops writes now, as an SQL expression: a `Hold` or null. */
export function holdIn(alias: string): string {
  return `case
    when ${alias}.succeeded_from <= clock_timestamp() then 'succeeded'
    when ${alias}.frozen_until > clock_timestamp() then 'frozen' end`;
}

/** What stops the writes of an Avatar now, as an SQL expression: a `Hold` or null. `avatar` is an SQL expression. */
export function holdSql(avatar: string): string {
  return `(select ${holdIn('hold')} from ${HOLDS_TABLE} hold where hold.avatar = ${avatar})`;
}

/**
 * Whether the binding of a row of `proof` counts for nothing, as an SQL expression: it was made behind the last link
 * that the owner made, by the word of a succession that is final.
 */
export function isVoidBinding(alias: string): string {
  return `exists (
    select from ${HOLDS_TABLE} hold where hold.avatar = ${alias}.avatar and hold.succeeded_from <= clock_timestamp()
      and hold.since_link < ${alias}.link_id
  )`;
}

/** Why such a binding is not valid. */
export const VOID_REASON = 'made after the key was reported stolen';

/** What stopped a write in the database itself (the trigger `refuse_held_avatar`); null for any other error. */
export function holdThatStopped(error: unknown): Hold | null {
  const { code, hint } = ((error as { driverError?: unknown } | null)?.driverError ?? {}) as Record<string, unknown>;
  return code === HELD_STATE ? (hint as Hold) : null;
}

/** The refusal of a write of an Avatar that is held (`avatar_frozen`, `avatar_succeeded`). */
export function heldError(hold: Hold): ProofRejectedError {
  return hold === 'frozen'
    ? new ProofRejectedError(
        'A key of this Avatar has stopped its writes for a time; GET /v1/keys says until when.',
        'avatar_frozen',
      )
    : new ProofRejectedError('Another Avatar has succeeded this one, which can write no more.', 'avatar_succeeded');
}
