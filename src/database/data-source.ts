import pg from 'pg';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import { ConnectionPool, type PoolUse } from './connections/connection-pool.js';
import { parseDatabaseUrl } from './connections/database-address.js';
import { type OpenDatabase, sendsAhead } from './database.js';
import { DatabaseClient } from './connections/database-client.js';
import { PreparingClient, StatementNames } from './connections/preparing-client.js';
import { PrimaryFinder } from './connections/primary-finder.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 60_000;

/**
 * How this service talks to its database; the schema comes from migrations alone (`synchronize` is never on).
 * @param use of its pool; a command uses it as it is
 * @throws Error if the URL cannot be read
 */
export function dataSourceOptions(database: OpenDatabase, use: PoolUse = {}): PostgresOptions {
  const embedded = database.kind === 'embedded';
  return {
    ...baseOptions(database.url),
    poolSize: database.poolSize,
    connectTimeoutMS: database.connectTimeoutMs,
    driver: { Pool: ConnectionPool },
    extra: {
      ...use,
      connectionString: database.url,
      finder: new PrimaryFinder(parseDatabaseUrl(database.url)),
      statementNames: new StatementNames(),
      // Through a transaction pooler, statements with names get lost.
      Client: database.directUrl === database.url ? PreparingClient : DatabaseClient,
      pipeline: !use.copies && sendsAhead(database),
      // The one connection of the embedded engine is kept for good.
      idleTimeoutMillis: embedded ? 0 : IDLE_CONNECTION_MS,
      // Without a value a timeout is not sent at all.
      statement_timeout: database.statementTimeoutMs || undefined,
      lock_timeout: database.statementLockTimeoutMs || undefined,
      idle_in_transaction_session_timeout: database.idleInTransactionMs || undefined,
    },
  };
}

/**
 * One connection whose statements have no time limits, because a migration takes as long as it takes. Its transactions
 * limit what they hold (`migrator.ts`).
 */
export function migrationOptions(url: string, migrations: (new () => MigrationInterface)[]): PostgresOptions {
  const extra = { connectionString: url, Client: DatabaseClient };
  const options = { poolSize: 1, connectTimeoutMS: CONNECT_TIMEOUT_MS, driver: pg, extra };
  return { ...baseOptions(url), ...options, migrations };
}

function baseOptions(url: string): PostgresOptions {
  return {
    type: 'postgres',
    // TypeORM reads one host; the whole URL goes to our connections.
    url: parseDatabaseUrl(url).hosts[0].url,
    applicationName: 'signet',
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
  };
}
