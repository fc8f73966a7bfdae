import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { type Share, withinShare } from './connection-shares.js';
import { poolOf } from './pool-of.js';
import { DatabaseClient } from './database-client.js';

/**
 * Distinct statements that get a name. The service has fewer; the limit keeps texts that are built on the fly from
 * filling the server's memory.
 */
const MAX_NAMES = 500;

const names = new Map<string, string>();

/**
 * A connection that gives every statement with parameters a name, so that PostgreSQL parses and plans it once for each
 * connection instead of once for each call: planning a lookup takes longer than running it. TypeORM sends all its
 * statements without names. Not for transaction poolers, where the next statement may go to another server process.
 */
export class PreparingClient extends DatabaseClient {
  // The many signatures of `query` differ in nothing but their first argument.
  override query(...words: unknown[]): never {
    const [text, values, ...rest] = words;
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
    const given = name === undefined ? words : [{ name, text, values }, ...rest];
    return (super.query as (...given: unknown[]) => never)(...given);
  }
}

/**
 * Runs one reading statement on a free connection of the pool, within `share` of it, and answers its rows. Beside
 * `dataSource.query` it saves a query runner and its events, which is most of the cost of a small lookup on our side.
 * @throws the driver's own error; ShareExhaustedError, TableLockedError
 */
export async function readRows<Row extends object>(
  dataSource: DataSource,
  text: string,
  values: unknown[],
  share: Share = 'reads',
): Promise<Row[]> {
  return withinShare(dataSource, share, text, () => readRowsNow(dataSource, text, values));
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

/** The name of a prepared statement, one for each text on all connections; undefined once there are too many. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `signet_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
