/** Asks the database with parameters and answers rows; inside a transaction where its maker has one. */
export type RowQuery = (sql: string, values?: unknown[]) => Promise<unknown[]>;
