import { loadEnvironment } from '../../src/config/environment.js';
import { readSnapshot, withDatabase } from '../../src/database/command-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('a command that reads one snapshot of the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('may take its time between two statements, changes nothing, and shows whose connection it is', async () => {
    const environment = loadEnvironment({ DATABASE_URL: database.url });
    const settings = await withDatabase(environment, 'verify', (source) =>
      readSnapshot(source, async (manager) => {
        const names = ['idle_in_transaction_session_timeout', 'transaction_read_only', 'transaction_isolation'];
        const columns = [...names, 'application_name'].map((name) => `current_setting('${name}') as ${name}`);
        const [row]: object[] = await manager.query(`select ${columns.join(', ')}`);
        return row;
      }),
    );

    expect(settings).toEqual({
      idle_in_transaction_session_timeout: '0',
      transaction_read_only: 'on',
      transaction_isolation: 'repeatable read',
      application_name: 'signet verify',
    });
  });
});
