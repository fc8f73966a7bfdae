/**
 * A table whose rows are work: each is due at a time, belongs to one server while that works on it, and is put off or
 * done by what came of it. Besides `dueAt` the table has `id`, `leased_until` (timestamptz, null while nobody works on
 * the row) and `unfinished_runs` (how often in a row it was claimed and nothing came of it). Names are our own text,
 * never input.
 */
export interface WorkTable {
  /** Name of the queue, as operators and metrics see it. */
  queue: string;
  table: string;
  /** Column of the time at which the row is due; null in a row that is done. */
  dueAt: string;
  /** A run that has not renewed its lease for so long belongs to a server that died; another one takes the row. */
  leaseMs: number;
  /**
   * Select of the column `id` of due rows, `$1` of them at most, locked with `skip locked`; absent: those that are due
   * for longest. Parameters from `$3` on are those given to `claim`.
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
  /** Expression of the JSON that tells an operator which work it is. */
  data: string;
  /** Assignments that make the row work again, besides those of the columns named here. */
  revive: string;
}

/** A claimed row: it belongs to this server until the lease ends, is lost or is given back. */
export interface Leased {
  /** A uuid or a bigint, depending on the table; as text, which is how the driver gives both. */
  id: string;
  /** The end of the lease as the database wrote it; who has it may write the row. */
  lease: string;
  /** How often in a row it was claimed without an outcome, this time included. */
  unfinishedRuns: number;
}

/** `$n` milliseconds from now, by the clock of the database; null where the parameter is. */
export function fromNow(parameter: number): string {
  return `now() + $${parameter}::float8 * interval '1 millisecond'`;
}

/** Condition of a row that is due and that nobody works on; `row` is its alias. */
export function isFree({ dueAt }: Pick<WorkTable, 'dueAt'>, row: string): string {
  return `${row}.${dueAt} <= now() and (${row}.leased_until is null or ${row}.leased_until <= now())`;
}
