import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

describe('statements on one connection', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const opened = await openDatabase(loadEnvironment({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '1' }));
    source = await new DataSource(dataSourceOptions(opened)).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const ask = (sql: string, values?: unknown[]): Promise<unknown[]> => source.query(sql, values);
  /** The texts that the server has prepared, and how often each was planned. */
  const prepared = () =>
    ask('select statement, generic_plans + custom_plans as plans from pg_prepared_statements where statement like $1', [
      '%found%',
    ]);

  it('are prepared once, with parameters and without', async () => {
    for (let time = 0; time < 3; time++) {
      expect(await ask('select 1 as found')).toEqual([{ found: 1 }]);
      expect(await ask('with two as (select 2 as found) select * from two')).toEqual([{ found: 2 }]);
      expect(await ask('select $1::int as found', [3])).toEqual([{ found: 3 }]);
    }

    expect(await prepared()).toEqual(
      expect.arrayContaining([
        { statement: 'select 1 as found', plans: 3 },
        { statement: 'with two as (select 2 as found) select * from two', plans: 3 },
        { statement: 'select $1::int as found', plans: 3 },
      ]),
    );
  });

  it('are not prepared where there are several in a message, or where one has no plan', async () => {
    const before = await prepared();

    await ask('select 4 as found; select 5 as found');
    await ask('create table found (n int)');
    await ask('analyze found');

    expect(await prepared()).toEqual(before);
  });
});
