import type { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { isTooSlow } from '../pg-errors.js';
import { poolOf } from './pool-of.js';

/** Milliseconds for which the database is not asked again which tables are locked. */
const KEPT_MS = 200;

/**
 * Tables that a session has locked against reads or waits to lock, which makes later reads wait as well (PostgreSQL
 * manual, "Explicit Locking"). The lock of an index stops the reads of its table.
 */
const LOCKED = `
  select distinct class.relname as name
  from pg_locks
  left join pg_index index on index.indexrelid = pg_locks.relation
  join pg_class class on class.oid = coalesce(index.indrelid, pg_locks.relation)
  where pg_locks.mode = 'AccessExclusiveLock'
    and pg_locks.database = (select oid from pg_database where datname = current_database())`;

/** The statement needs a table that others have locked; it was not sent. */
class TableLockedError extends Error {
  /** lock_not_available, as of a statement that waited for it. */
  readonly code = '55P03';
}

/**
 * Knows which tables are locked against reads. When the database gives up a read for the time that it took, it is asked
 * which tables are locked. A read of one of them is refused from then on if the table is still locked. Otherwise each
 * of these reads would keep a connection, and reads of all other tables would wait for one.
 */
export class LockedTables {
  private readonly looks = new SingleFlight();
  /** Matches statements that name a locked table; null while none is known to be locked. */
  private locked: RegExp | null = null;
  private lookedAt = 0;

  constructor(private readonly source: DataSource) {}

  /**
   * Runs `work`, which sends the text `statement`.
   * @throws TableLockedError; what `work` throws
   */
  async run<Result>(statement: string, work: () => Promise<Result>): Promise<Result> {
    if (await this.isLocked(statement))
      throw new TableLockedError('others have locked a table that the statement needs');
    try {
      return await work();
    } catch (error) {
      // Before the caller gives its connection to the next statement, which may need the same table.
      if (isTooSlow(error)) await this.looks.join(() => this.look());
      throw error;
    }
  }

  private async isLocked(statement: string): Promise<boolean> {
    if (!this.locked?.test(statement)) return false;
    if (performance.now() - this.lookedAt > KEPT_MS) await this.looks.join(() => this.look());
    return this.locked?.test(statement) ?? false;
  }

  private async look(): Promise<void> {
    let rows: { name: string }[] = [];
    try {
      ({ rows } = await poolOf(this.source).query(LOCKED));
    } catch {
      // None where the database does not say.
    }
    this.locked = rows.length === 0 ? null : new RegExp(`\\b(${rows.map(({ name }) => escaped(name)).join('|')})\\b`);
    this.lookedAt = performance.now();
  }
}

/** The name of a table, which may have any characters, as a part of a regular expression. */
function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
