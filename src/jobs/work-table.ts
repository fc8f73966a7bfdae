import { isUnleased } from '../database/time-sql.js';

/**
 * A table whose rows are work. Each row is due at a time and belongs to one server while that server works on it; the
 * outcome puts it off or completes it. Besides `dueAt` the table has `id`, `leased_until` (timestamptz, null while no
 * server works on the row) and `unfinished_runs` (claims in a row without an outcome). Names are our own text, never
 * input.
 */
export interface WorkTable {
  /** Name of the queue, as operators and metrics see it. */
  queue: string;
  table: string;
  /** Column of the time at which the row is due; null in a row that is done. */
  dueAt: string;
  /** Milliseconds after which a lease that was not renewed ends: the server has died, and another may take the row. */
  leaseMs: number;
  /**
   * Milliseconds that a row is put off at most. One that lies further ahead is from before the clock of the database
   * was put back, and becomes due; null where the time is what was said to others, and holds whatever clocks do.
   */
  mostMs: number | null;
  /** SQL condition of the rows that may be claimed; parameters from `$3` on are those given to `claim`. */
  condition?: string;
  /**
   * Select of the column `id` of due rows, `$1` of them at most, locked with `skip locked`, with parameters as
   * `condition`; absent: those that are due for longest.
   */
  dueSql?: string;
  /** Where rows that failed for good are kept for an operator. */
  dead?: DeadRows;
}

/**
 * Rows that failed for good have a `dead_letter_id` (uuid) until an operator replays or drops them, the time `dead_at`
 * and the reason `last_error`.
 */
export interface DeadRows {
  /** Expression of the time at which the row failed. */
  failedAt: string;
  /** Expression of the JSON that describes the work to an operator. */
  data: string;
  /** Assignments that make the row work again, besides those of the columns named here. */
  revive: string;
}

/** A claimed row: it belongs to this server until the lease ends, is lost or is given back. */
export interface Leased {
  /** A uuid or a bigint, depending on the table; as text. */
  id: string;
  /** The end of the lease as the database wrote it; the server that has it may write the row. */
  lease: string;
  /** Claims in a row without an outcome, the current one included. */
  unfinishedRuns: number;
}

/** `$n` milliseconds from now, by the clock of the database; null where the parameter is. */
export function fromNow(parameter: number): string {
  return `now() + $${parameter}::float8 * interval '1 millisecond'`;
}

/** SQL condition of a row that is due and not claimed; `row` is its alias. */
export function isFree({ dueAt }: Pick<WorkTable, 'dueAt'>, row: string): string {
  return `${row}.${dueAt} <= now() and ${isUnleased(row)}`;
}
