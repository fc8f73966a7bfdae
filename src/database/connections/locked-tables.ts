import { SingleFlight } from '../../concurrency/single-flight.js';
import { isTooSlow } from '../pg-errors.js';

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
 * Knows which tables are locked against reads. The database is asked for them after a read has timed out. From then on
 * a read of such a table is refused for as long as the lock lasts. Otherwise each of these reads would keep a
 * connection, and reads of all other tables would wait for one.
 */
export class LockedTables {
  private readonly looks = new SingleFlight();
  private locked: ReadonlySet<string> = new Set();
  private lookedAt = 0;

  /** @param query asks the database, and answers rows */
  constructor(private readonly query: (sql: string) => Promise<{ name: string }[]>) {}

  /**
   * Runs `work`, which sends one statement that reads `tables`.
   * @throws TableLockedError; what `work` throws
   */
  async run<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    if (this.locked.size > 0 && (await this.areLocked(tables))) {
      throw new TableLockedError('others have locked a table that the statement needs');
    }
    try {
      return await work();
    } catch (error) {
      // Before the caller gives its connection to the next statement, which may need the same table.
      if (isTooSlow(error)) await this.looks.join(() => this.look());
      throw error;
    }
  }

  private async areLocked(tables: readonly string[]): Promise<boolean> {
    const isOneLocked = () => tables.some((table) => this.locked.has(table));
    if (!isOneLocked()) return false;
    if (performance.now() - this.lookedAt > KEPT_MS) await this.looks.join(() => this.look());
    return isOneLocked();
  }

  private async look(): Promise<void> {
    // None where the database does not say.
    const rows = await this.query(LOCKED).catch(() => []);
    this.locked = new Set(rows.map(({ name }) => name));
    this.lookedAt = performance.now();
  }
}
