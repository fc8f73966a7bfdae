import pg from 'pg';
import { createEmptyDatabase, createTestDatabase } from '../../support/database.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { launchService, messagesIn, runService } from '../../support/service-process.js';
import { until } from '../../support/until.js';

describe('a service whose database is away when it starts', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    await postgres.kill9();
  });
  afterAll(() => postgres.stop());

  it('ends at once when it is told to', async () => {
    const service = launchService({ DATABASE_URL: postgres.url });
    await until(() => /Trying again in 1 s/.test(service.output()));

    service.signal('SIGTERM');
    const { code, output } = await service.ended;

    expect(code).toBe(0);
    expect(output).toContain('SIGTERM: ended before the service was ready.');
  });

  it('waits and says so, and serves when the database is there', async () => {
    const starting = launchService({ DATABASE_URL: postgres.url });
    await until(() => /Trying again in 1 s/.test(starting.output()));

    await postgres.restart();
    const service = await starting.ready();

    expect(messagesIn(service.output())).toMatch(
      /The database at 127\.0\.0\.1:\d+\/postgres cannot be used: connect ECONNREFUSED \S+\. Trying again in 0\.5 s\.\n/,
    );
    expect(messagesIn(service.output())).not.toMatch(/^ {4}at /m);
    expect((await service.get('/v1/proofchain/changes?last_id=0')).body).toEqual({ links: [] });
    await service.kill9();
  });
});

describe('a service that starts while others have locked a table', () => {
  it('waits and says so, and serves when the lock is gone', async () => {
    const { url, drop } = await createTestDatabase();
    const operator = new pg.Client({ connectionString: url });
    await operator.connect();
    await operator.query('begin; lock table webhook_subscription in access exclusive mode');
    const starting = launchService({ DATABASE_URL: url });
    let isEnded = false;
    void starting.ended.then(() => (isEnded = true));

    await until(() => isEnded || /canceling statement due to .*Trying again/.test(starting.output()));
    await operator.query('rollback');
    const service = await starting.ready();

    expect((await service.get('/readyz')).status).toBe(200);
    await service.kill9();
    await operator.end();
    await drop();
  });
});

describe('a service whose database will not be there however long it waits', () => {
  it('ends with code 1 where there is no database of that name', async () => {
    const url = new URL(process.env.TEST_SERVER_URL!);
    url.pathname = '/no_such_database';

    const { code, output } = await runService({ DATABASE_URL: url.href });

    expect(code).toBe(1);
    expect(messagesIn(output)).toContain('database "no_such_database" does not exist');
    expect(output).not.toContain('Trying again');
  });

  it('ends with code 1 where the user is not known', async () => {
    const url = new URL(process.env.TEST_SERVER_URL!);
    url.username = 'nobody_we_know';
    url.password = 'sesame';

    const { code, output } = await runService({ DATABASE_URL: url.href });

    expect(code).toBe(1);
    expect(output).toMatch(/cannot be used: .*nobody_we_know/);
    expect(output).not.toMatch(/Trying again|sesame/);
  });

  it('ends with code 1 where the database stores something else than UTF-8', async () => {
    const { url, drop } = await createEmptyDatabase(
      `encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    );

    const { code, output } = await runService({ DATABASE_URL: url });

    expect(code).toBe(1);
    expect(output).toContain('the encoding must be UTF8');
    expect(output).not.toContain('Trying again');
    await drop();
  });

  it('ends with code 1 where replicas are named without a server that they copy', async () => {
    const { code, output } = await runService({ DATABASE_REPLICA_URLS: 'postgres://127.0.0.1/replica' });

    expect(code).toBe(1);
    expect(output).toContain('DATABASE_REPLICA_URLS needs DATABASE_URL');
  });
});
