import type { SqlSource } from './sql-source.js';

/** Runs an update or a delete. Returns how many rows it changed, which TypeORM reports behind the rows themselves. */
export async function countChanged(source: SqlSource, sql: string, values: unknown[]): Promise<number> {
  const [, count] = (await source.query(sql, values)) as [unknown, number];
  return count;
}

/** Runs an update or a delete with `returning`. Returns the rows that it changed. */
export async function changedRows<Row>(source: SqlSource, sql: string, values: unknown[]): Promise<Row[]> {
  const [rows] = (await source.query(sql, values)) as [Row[], number];
  return rows;
}

/** Repeats a statement that changes up to `batch` rows until it finds fewer. Returns how many rows were changed. */
export async function changeInBatches(
  source: SqlSource,
  batch: number,
  sql: string,
  values: unknown[],
): Promise<number> {
  let total = 0;
  for (let count = batch; count === batch; total += count) count = await countChanged(source, sql, values);
  return total;
}
