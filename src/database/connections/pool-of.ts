import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { ConnectionPool } from './connection-pool.js';

/** The connections behind a `DataSource` that was made with `dataSourceOptions` and is initialized. */
export function poolOf(dataSource: DataSource): ConnectionPool {
  return (dataSource.driver as PostgresDriver).master as ConnectionPool;
}
