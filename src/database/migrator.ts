import { DataSource, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { migrationOptions } from './data-source.js';
import { MIGRATIONS } from './migrations/index.js';

/**
 * Brings the schema of the database at `url` up to date and answers with the names of the migrations that were applied
 * now. Several servers may do this at once: they queue at an advisory lock, and the later ones find nothing left to do.
 *
 * Choice: all pending migrations are one transaction that also holds the lock. It works through a transaction pooler
 * and over the single connection of the embedded engine, and a server that dies leaves neither a lock nor half a
 * schema. The price is that a migration cannot use statements that refuse transactions, such as `create index
 * concurrently`.
 */
export async function migrate(
  url: string,
  migrations: (new () => MigrationInterface)[] = MIGRATIONS,
): Promise<string[]> {
  const dataSource = await new DataSource(migrationOptions(url, migrations)).initialize();
  try {
    return await dataSource.transaction('READ COMMITTED', async ({ queryRunner }) => {
      await queryRunner!.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.migration]);
      const executor = new MigrationExecutor(dataSource, queryRunner);
      const applied = await executor.executePendingMigrations();
      return applied.map(({ name }) => name);
    });
  } finally {
    await dataSource.destroy();
  }
}
