import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionPool } from './connections/connection-pool.js';
import { dataSourceOptions, type EntityClass } from './data-source.js';
import { OPEN_DATABASE, type OpenDatabase } from './database.js';
import { DeploymentSettings } from './deployment-settings.js';
import { EmbeddedUpkeep } from './embedded/embedded-upkeep.js';
import { Replicas } from './connections/replicas.js';
import { UpgradeStatus } from './schema/upgrade-status.js';
import { WriteTransactions } from './write-transactions.js';

const SHARED = [DeploymentSettings, ConnectionPool, Replicas, UpgradeStatus, WriteTransactions];

/**
 * Makes TypeORM's `DataSource` injectable everywhere, over a database that is open and migrated. The connections are
 * closed when the application is; the database itself is closed by the code that opened it.
 */
@Module({})
export class DatabaseModule {
  static forRoot(database: OpenDatabase, entities: EntityClass[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(database, entities), toRetry: () => false })],
      providers: [
        ...SHARED,
        { provide: OPEN_DATABASE, useValue: database },
        ...(database.kind === 'embedded' ? [EmbeddedUpkeep] : []),
      ],
      exports: [...SHARED, OPEN_DATABASE],
    };
  }
}
