import { ProofRejectedError } from '../domain/domain-errors.js';

/** The table of Avatars whose keys stop their writes: at most one row each, which follows from their key events. */
export const HOLDS_TABLE = 'avatar_hold';

/** SQLSTATE of the trigger that refuses records of such an Avatar; its hint is a `Hold`. */
const HELD_STATE = 'SG001';

/** Why an Avatar cannot write: its keys are frozen, or another Avatar has succeeded it. */
export type Hold = 'frozen' | 'succeeded';

/**
 * The time for a row of the table, as an SQL expression: that of the database, but never before what the keys of its
 * Avatar have settled already. A clock that is set back takes nothing back.
 */
export function nowFor(alias: string): string {
  return `greatest(clock_timestamp(), ${alias}.settled_until)`;
}

/** Whether another Avatar has succeeded that of the row `alias`, for good, as an SQL expression. */
export function isSucceeded(alias: string): string {
  return `${alias}.succeeded_from <= ${nowFor(alias)}`;
}

/** Whether the row `alias` of the table stops writes now, as an SQL expression: a `Hold` or null. */
export function holdIn(alias: string): string {
  return `case
    when ${isSucceeded(alias)} then 'succeeded'
    when ${alias}.frozen_until > ${nowFor(alias)} then 'frozen' end`;
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
    select from ${HOLDS_TABLE} hold where hold.avatar = ${alias}.avatar and ${isSucceeded('hold')}
      and hold.since_link < ${alias}.link_id
  )`;
}

/** The table of content that patches behind the owner's last one have changed, as it was before. */
export const CONTENT_THEN_TABLE = 'kv_entry_then';

/**
 * SQL joins of `entry` (a row of `kv_entry`) with `entry_then`: a row where the content of the Avatar is that of its
 * owner's last patch, by the word of a succession that is final, and patches behind it have changed this entry.
 */
export function joinContentThen(entry: string): string {
  return `
    left join ${HOLDS_TABLE} entry_hold on entry_hold.avatar = ${entry}.avatar and ${isSucceeded('entry_hold')}
    left join ${CONTENT_THEN_TABLE} entry_then on entry_then.event = entry_hold.succession
      and entry_then.platform = ${entry}.platform and entry_then.identity = ${entry}.identity`;
}

/** A column of `entry`, or of the row that stands for it, as an SQL expression; see `joinContentThen`. */
export function thenOr(entry: string, column: 'content' | 'content_bytes'): string {
  return `case when entry_then.event is null then ${entry}.${column} else entry_then.${column} end`;
}

/** Whether an entry is there at all: the owner had made it. See `joinContentThen`. */
export const IS_OF_OWNER = '(entry_then.event is null or entry_then.content is not null)';

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
