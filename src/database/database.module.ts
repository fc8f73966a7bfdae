import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BoundsModule } from '../bounds/bounds.module.js';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { Environment } from '../config/environment.js';
import { ConnectionPool } from './connections/connection-pool.js';
import { poolOf } from './connections/pool-of.js';
import { dataSourceOptions } from './data-source.js';
import { OPEN_DATABASE, type OpenDatabase } from './database.js';
import { DeploymentSettings } from './deployment-settings.js';
import { EmbeddedUpkeep } from './embedded/embedded-upkeep.js';
import { Replicas } from './replicas.js';
import { UpgradeStatus } from './schema/upgrade-status.js';
import { WriteTransactions } from './write-transactions.js';

const SHARED = [DeploymentSettings, Replicas, UpgradeStatus, WriteTransactions];

/**
 * TypeORM's `DataSource` and its pool for all modules, over a database that is open and migrated. The connections are
 * closed when the application is; the database itself is closed by the code that opened it.
 * - Who opens: `openDatabase` (`database.ts`), a server or the engine that is built in (`embedded/`). Its connections
 *   (`connections/`) find the primary again after a fail-over, and the pool has a share for each use.
 * - Who writes: requests and jobs, in transactions of `WriteTransactions`, which hold their locks for seconds only;
 *   commands, by `withDatabase` (`command-database.ts`), past a pooler and without limits.
 * - Who reads: requests, by `readRows` or a `GatheredRead` (`connections/`), and from `Replicas` what may be late.
 * - Who changes the schema: `migrate` (`schema/`), before a server serves. Long work is left to upgrade steps.
 * - Who signs: nobody here. `DeploymentSettings` keeps the keys that no setting gives, one for all servers.
 */
@Module({})
export class DatabaseModule {
  static forRoot(database: OpenDatabase): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          imports: [BoundsModule],
          inject: [Environment, RefusalCounter],
          useFactory: (environment: Environment, refusals: RefusalCounter) => ({
            ...servingOptions(database, environment, refusals),
            toRetry: () => false,
          }),
        }),
      ],
      providers: [
        ...SHARED,
        { provide: OPEN_DATABASE, useValue: database },
        { provide: ConnectionPool, inject: [DataSource], useFactory: poolOf },
        ...(database.kind === 'embedded' ? [EmbeddedUpkeep] : []),
      ],
      exports: [...SHARED, OPEN_DATABASE, ConnectionPool],
    };
  }
}

function servingOptions(
  database: OpenDatabase,
  { LOAD_SHEDDING, MAX_POOL_WAIT_MS }: Environment,
  refusals: RefusalCounter,
) {
  const logger = new Logger('ConnectionPool');
  return dataSourceOptions(database, {
    silenceMs: database.silenceMs,
    warn: (message) => logger.warn(message),
    shareWaitMs: LOAD_SHEDDING ? MAX_POOL_WAIT_MS : undefined,
    refusals,
  });
}
