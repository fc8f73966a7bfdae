import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { createEmptyDatabase } from '../support/database.js';

describe('opening PostgreSQL', () => {
  it('tells what it found, without the password', async () => {
    const { url, drop } = await createEmptyDatabase();
    const secret = new URL(url);
    secret.password = 'open sesame';

    const database = await openDatabase(loadEnvironment({ DATABASE_URL: secret.href }));

    expect(database.description).toMatch(/^PostgreSQL \d+\.\d+ at 127\.0\.0\.1:\d+\/signet_test_\w+$/);
    expect(database).toMatchObject({ kind: 'postgres', poolSize: 10, directUrl: secret.href });
    await drop();
  });

  it('says what is wrong where nobody answers, without the password', async () => {
    const opening = openDatabase(loadEnvironment({ DATABASE_URL: 'postgres://me:sesame@127.0.0.1:1/nowhere' }));

    await expect(opening).rejects.toThrow('The database at 127.0.0.1:1/nowhere cannot be used: connect ECONNREFUSED');
    await expect(opening).rejects.not.toThrow('sesame');
  });

  it('refuses a database that does not store UTF-8', async () => {
    const { url, drop } = await createEmptyDatabase(
      `encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    );

    await expect(openDatabase(loadEnvironment({ DATABASE_URL: url }))).rejects.toThrow('the encoding must be UTF8');
    await drop();
  });

  it('asks for no statement timeout where a direct URL tells of a transaction pooler', async () => {
    const { url, drop } = await createEmptyDatabase();

    const database = await openDatabase(loadEnvironment({ DATABASE_URL: url, DATABASE_DIRECT_URL: `${url}?direct=1` }));

    expect(database).toMatchObject({ url, directUrl: `${url}?direct=1`, statementTimeoutMs: 0 });
    await drop();
  });

  it('gives up a statement after the time of the settings', async () => {
    const { url, drop } = await createEmptyDatabase();
    const database = await openDatabase(loadEnvironment({ DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT_MS: '100' }));
    const dataSource = await new DataSource(dataSourceOptions(database, [])).initialize();

    await expect(dataSource.query('select pg_sleep(10)')).rejects.toThrow('statement timeout');

    const [row] = await dataSource.query(`select current_setting('application_name') as name`);
    expect(row).toEqual({ name: 'signet' });
    await dataSource.destroy();
    await drop();
  });
});
