/** Asks the database with parameters and answers rows; inside a transaction where its maker has one. */
export type RowQuery = (sql: string, values?: unknown[]) => Promise<unknown[]>;

/** Whether there is a table (or index) of this name. */
export async function hasTable(query: RowQuery, name: string): Promise<boolean> {
  const [row] = (await query('select to_regclass($1) is not null as exists', [name])) as [{ exists: boolean }];
  return row.exists;
}
