import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from './connections/pool-of.js';

/**
 * Runs several statements without parameters on a free connection of the pool, as one message and in one transaction:
 * all of them or none (PostgreSQL manual, "Multiple Statements in a Simple Query"). The database does not wait for this
 * process between them.
 * @returns the result of each statement, in order.
 * @throws the driver's own error
 */
export async function runScript(dataSource: DataSource, statements: string[]): Promise<pg.QueryResult[]> {
  const results: unknown = await poolOf(dataSource).query(statements.join(';\n'));
  return results as pg.QueryResult[];
}
