import pg from 'pg';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { linkWallet } from '../../support/scenario.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const CONNECTIONS = 8;

describe('connections to a server that has become read-only, while new ones reach the primary', () => {
  let postgres: TestPostgres;
  let service: ServiceProcess;
  let operator: pg.Client;

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    service = await startService({ DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: String(CONNECTIONS) });
    operator = new pg.Client({ connectionString: postgres.url });
    await operator.connect();
  });
  afterAll(async () => {
    await operator?.end();
    await service?.kill9();
    await postgres?.stop();
  });

  /** Sessions of the service's pool that began before `time`. */
  async function sessionsFrom(time: Date): Promise<number> {
    const { rows } = await operator.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where application_name = 'signet' and backend_start < $1`,
      [time],
    );
    return rows[0]!.count;
  }

  it('are all left after the first write that is refused, reading ones too, and nothing is lost', async () => {
    const feed = (): Promise<unknown> => service.get('/v1/proofchain/changes?last_id=0');
    expect((await linkWallet(service, anAvatar('before'), aWallet('before'))).status).toBe(201);
    await Promise.all(Array.from({ length: 4 * CONNECTIONS }, feed));
    // A session takes the setting of the server unless its database has one when it begins: so sessions that are
    // there become read-only, and those that come do not.
    await operator.query('alter database postgres set default_transaction_read_only = off');
    const { rows } = await operator.query<{ now: Date }>('select clock_timestamp() as now');
    expect(await sessionsFrom(rows[0]!.now)).toBeGreaterThan(1);
    await operator.query('alter system set default_transaction_read_only = on');
    await operator.query('select pg_reload_conf()');

    const refused = await linkWallet(service, anAvatar('refused'), aWallet('refused'));
    await until(async () => (await linkWallet(service, anAvatar('after'), aWallet('after'))).status === 201);
    await until(async () => (await sessionsFrom(rows[0]!.now)) === 0);

    expect(refused.status === 201 || refused.body.code === 'database_unavailable').toBe(true);
    expect((await service.get('/readyz')).status).toBe(200);
    expect(problemsOfFeed(await readFeed(service))).toEqual([]);
  });
});
