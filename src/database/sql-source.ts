/** What runs a statement: a `DataSource`, or the `EntityManager` of a transaction. */
export interface SqlSource {
  query<Result = unknown[]>(sql: string, values?: unknown[]): Promise<Result>;
}

export async function hasTable(source: SqlSource, name: string): Promise<boolean> {
  const [row] = await source.query<[{ exists: boolean }]>('select to_regclass($1) is not null as exists', [name]);
  return row.exists;
}
