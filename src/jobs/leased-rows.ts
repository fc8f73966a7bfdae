import type { DataSource, EntityManager } from 'typeorm';
import { changedRows, countChanged } from '../database/changes.js';
import { isOfLaterClock, isUnleased } from '../database/time-sql.js';
import { MAX_COUNTED } from '../measures/measured.js';
import { fromNow, isFree, type Leased, type WorkTable } from './work-table.js';

/** The lease ended and another server may have the row; the work on it has to stop. */
export class LeaseLostError extends Error {}

/** The rows of a queue, counted by state. */
export interface Depth {
  /** Due, and no server works on it. */
  ready: number;
  /** Due later. */
  deferred: number;
  running: number;
  /** Failed for good, for an operator to decide. */
  dead: number;
}

/**
 * Claims rows of a table and writes their outcomes. All times are intervals that the database adds to its own time,
 * so that no server's clock matters.
 */
export class LeasedRows {
  private readonly claimSql: string;

  constructor(
    private readonly dataSource: DataSource,
    readonly table: WorkTable,
  ) {
    const { condition = 'true', dueAt } = table;
    const due =
      table.dueSql ??
      `select id from ${table.table} as work where ${isFree(table, 'work')} and (${condition})
       order by ${dueAt} limit $1 for update skip locked`;
    this.claimSql = `
      with due as (${due})
      update ${table.table} as mine set leased_until = ${fromNow(2)}, unfinished_runs = mine.unfinished_runs + 1
      from due where mine.id = due.id
      returning mine.id::text, mine.leased_until::text as lease, mine.unfinished_runs as "unfinishedRuns"`;
  }

  /** Claims up to `limit` due rows for this server until the lease ends, by one short statement. */
  async claim(limit: number, ...parameters: unknown[]): Promise<Leased[]> {
    return changedRows(this.dataSource, this.claimSql, [limit, this.table.leaseMs, ...parameters]);
  }

  /** Keeps a row for another full lease, and updates `leased`. @throws LeaseLostError */
  async renew(leased: Leased, manager = this.dataSource.manager): Promise<void> {
    const sql = `
      update ${this.table.table} set leased_until = ${fromNow(3)} where id = $1 and leased_until = $2::timestamptz
      returning leased_until::text as lease`;
    const [row] = await changedRows<{ lease: string }>(manager, sql, [leased.id, leased.lease, this.table.leaseMs]);
    if (!row) throw lost(this.table, leased);
    leased.lease = row.lease;
  }

  /** Writes columns of a row and keeps it; values from `$3` on. @throws LeaseLostError */
  async write(leased: Leased, set: string, values: unknown[], manager = this.dataSource.manager): Promise<void> {
    const sql = `update ${this.table.table} set ${set} where id = $1 and leased_until = $2::timestamptz`;
    if ((await countChanged(manager, sql, [leased.id, leased.lease, ...values])) !== 1) throw lost(this.table, leased);
  }

  /**
   * Gives a row back with its outcome: due again in `inMs` milliseconds, or done if that is null. Values of `set` from
   * `$4` on. In the transaction of `manager`. @throws LeaseLostError
   */
  async finish(
    manager: EntityManager,
    leased: Leased,
    inMs: number | null,
    set: string,
    values: unknown[],
  ): Promise<void> {
    const given = `${this.table.dueAt} = ${fromNow(3)}, leased_until = null, unfinished_runs = 0, ${set}`;
    await this.write(leased, given, [inMs, ...values], manager);
  }

  /** Removes a row that is done, in the transaction of `manager`. @throws LeaseLostError */
  async remove(manager: EntityManager, leased: Leased): Promise<void> {
    const sql = `delete from ${this.table.table} where id = $1 and leased_until = $2::timestamptz`;
    if ((await countChanged(manager, sql, [leased.id, leased.lease])) !== 1) throw lost(this.table, leased);
  }

  /** Gives a row back without an outcome: due again in `inMs` milliseconds. A lost lease does not matter. */
  async putOff({ id, lease }: Leased, inMs: number): Promise<void> {
    await this.dataSource.query(
      `update ${this.table.table} set ${this.table.dueAt} = ${fromNow(3)}, leased_until = null
       where id = $1 and leased_until = $2::timestamptz`,
      [id, lease, inMs],
    );
  }

  /**
   * Makes up to `limit` rows due that lie further ahead than any is put off: the clock of the database was ahead when
   * they were, and was put back. @returns how many
   */
  async pullBack(limit: number): Promise<number> {
    const { table, dueAt, mostMs } = this.table;
    if (mostMs === null) return 0;
    const sql = `
      with late as (
        select id from ${table} where ${isOfLaterClock(dueAt, mostMs)} limit $1 for update skip locked
      )
      update ${table} as mine set ${dueAt} = now() from late where mine.id = late.id`;
    return countChanged(this.dataSource, sql, [limit]);
  }

  /** Counts up to 10,000 of those that are due first, and of those that are dead. */
  async depth(): Promise<Depth> {
    const { table, dueAt, dead } = this.table;
    const deadSql = dead
      ? `(select count(*) from (select from ${table} where dead_letter_id is not null limit ${MAX_COUNTED}) as dead)`
      : '0::bigint';
    const [row]: Depth[] = await this.dataSource.query(
      `select count(*) filter (where not ${isUnleased('work')}) as running, count(*) filter (where ${isFree({ dueAt }, 'work')}) as ready,
         count(*) filter (where ${dueAt} > now() and ${isUnleased('work')}) as deferred, ${deadSql} as dead
       from (select * from ${table} where ${dueAt} is not null order by ${dueAt} limit ${MAX_COUNTED}) as work`,
    );
    return row!;
  }
}

function lost({ queue }: WorkTable, { id }: Leased): LeaseLostError {
  return new LeaseLostError(`the lease of ${queue} ${id} was lost`);
}
