import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { DatabaseUnusableError, openDatabase } from '../../src/database/database.js';
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

    expect(database).toMatchObject({
      url,
      directUrl: `${url}?direct=1`,
      statementTimeoutMs: 0,
      lockTimeoutMs: 0,
      statementLockTimeoutMs: 0,
      idleInTransactionMs: 0,
    });
    await drop();
  });

  it('bounds every wait, unless the settings say 0', async () => {
    const { url, drop } = await createEmptyDatabase();
    const timeoutsOf = async (env: Record<string, string>) => {
      const database = await openDatabase(loadEnvironment({ DATABASE_URL: url, ...env }));
      const dataSource = await new DataSource(dataSourceOptions(database)).initialize();
      const [row] = await dataSource.query(
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
           current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      await dataSource.destroy();
      return row;
    };

    const zeros = ['STATEMENT_TIMEOUT', 'LOCK_TIMEOUT', 'IDLE_IN_TRANSACTION'].map((name) => [
      `DATABASE_${name}_MS`,
      '0',
    ]);
    expect(await timeoutsOf({})).toEqual({ statement: '15s', lock: '1500ms', idle: '1min' });
    expect(await timeoutsOf(Object.fromEntries(zeros))).toEqual({ statement: '0', lock: '0', idle: '0' });
    await drop();
  });

  it('says whether waiting may help', async () => {
    const { url, drop } = await createEmptyDatabase();
    const missing = new URL(url);
    missing.pathname = '/no_such_database';
    const isPassing = async (DATABASE_URL: string) => {
      const error = await openDatabase(loadEnvironment({ DATABASE_URL })).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseUnusableError);
      return (error as DatabaseUnusableError).isPassing;
    };

    expect(await isPassing('postgres://127.0.0.1:1/nowhere')).toBe(true);
    expect(await isPassing('postgres://localhost/nowhere?host=%2Fno%2Fsuch%2Ffolder')).toBe(true);
    expect(await isPassing(missing.href)).toBe(false);
    await drop();
  });

  it('gives up a statement after the time of the settings', async () => {
    const { url, drop } = await createEmptyDatabase();
    const database = await openDatabase(loadEnvironment({ DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT_MS: '100' }));
    const dataSource = await new DataSource(dataSourceOptions(database)).initialize();

    await expect(dataSource.query('select pg_sleep(10)')).rejects.toThrow('statement timeout');

    const [row] = await dataSource.query(`select current_setting('application_name') as name`);
    expect(row).toEqual({ name: 'signet' });
    await dataSource.destroy();
    await drop();
  });
});
