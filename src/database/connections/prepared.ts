import type { DataSource } from 'typeorm';
import type { ShareName } from '../../bounds/bounds.js';
import { poolOf } from './pool-of.js';

/**
 * Runs one reading statement on a free connection of the pool, within `share` of it, and answers its rows. Beside
 * `dataSource.query` it saves a query runner and its events, which is most of the cost of a small lookup on our side.
 * @param tables those that the statement reads: it is not sent while others have locked one of them
 * @throws the driver's own error; TooManyWaitError, TableLockedError
 */
export async function readRows<Row extends object>(
  dataSource: DataSource,
  tables: readonly string[],
  text: string,
  values: unknown[],
  share: ShareName = 'reads',
): Promise<Row[]> {
  return poolOf(dataSource).shares.run(share, tables, () => readRowsNow(dataSource, text, values));
}

/** Runs one reading statement for a caller that has a connection of a share already. @throws the driver's own error */
export async function readRowsNow<Row extends object>(
  dataSource: DataSource,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await poolOf(dataSource).query<Row>(text, values)).rows;
}

/** Asks within a transaction, and answers rows. Rejects with the driver's own error. */
export type Ask = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/**
 * Runs reading statements whose cost the caller of the service chooses: each is ended by the server after `limitMs`
 * milliseconds, and none takes more than one core, is compiled first, or reads a table from end to end that has an
 * index for it. All see the database as of one moment. Works behind a transaction pooler too; the embedded database
 * takes the limit and does not act on it.
 * @throws the driver's own error, SQLSTATE 57014 after that time; what `work` throws
 */
export async function readWithin<Result>(
  limitMs: number,
  dataSource: DataSource,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const client = await poolOf(dataSource).connect();
  let failure: Error | undefined;
  try {
    await client.query(
      `begin isolation level repeatable read read only; set local statement_timeout = ${limitMs};
       set local max_parallel_workers_per_gather = 0; set local jit = off; set local enable_seqscan = off`,
    );
    const result = await work(
      async <Row extends object>(text: string, values: unknown[]) => (await client.query<Row>(text, values)).rows,
    );
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even be rolled back is closed.
    failure = await client.query('rollback').then(
      () => undefined,
      (broken: Error) => broken,
    );
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * Parameter `number` of a statement as a sub-select that the planner cannot look into. It then plans for all values
 * alike, once for each connection: seeing a limit or an array, it would find a plan for that very value a little
 * cheaper each time, and plan a list again and again, which takes longer than reading it.
 */
export function hiddenParameter(number: number, type: string): string {
  return `(select $${number}::${type})`;
}
