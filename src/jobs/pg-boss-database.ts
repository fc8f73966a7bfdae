import type pg from 'pg';
import type { Db } from 'pg-boss';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/** pg-boss on the transaction of `manager`. */
export function onTransaction({ queryRunner }: EntityManager): Db {
  if (!queryRunner?.isTransactionActive)
    throw new Error('A job is sent in a transaction, with the row that it serves.');
  return { executeSql: (text, values) => execute(queryRunner, text, values) };
}

/** pg-boss on the connections of the service, one statement at a time. */
export function onPool(dataSource: DataSource): Db {
  return {
    executeSql: async (text, values) => {
      const runner = dataSource.createQueryRunner();
      try {
        return await execute(runner, text, values);
      } catch (error) {
        // Some texts bring their own BEGIN and COMMIT; the connection must not go back to the pool in a broken
        // transaction.
        await execute(runner, 'rollback').catch(() => {});
        throw error;
      } finally {
        await runner.release();
      }
    },
  };
}

/** Past TypeORM, whose result for a text of several statements leaves out their rows. */
async function execute(runner: QueryRunner, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const client = (await runner.connect()) as pg.ClientBase;
  return client.query(text, values);
}
