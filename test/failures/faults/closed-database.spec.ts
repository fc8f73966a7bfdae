import pg from 'pg';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectRefusal } from '../../support/refusals.js';
import { linkWallet, walletPayload } from '../../support/scenario.js';
import { launchService, messagesIn, type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const FEED = '/v1/proofchain/changes?last_id=0';
const alice = anAvatar('alice');
const ROLE = 'signet_test_guest';

let database: TestDatabase;
let name: string;
/** A superuser in another database of the server. */
let operator: pg.Client;
let running: ServiceProcess;
const services: { kill9(): Promise<void> }[] = [];

beforeAll(async () => {
  operator = new pg.Client({ connectionString: process.env.TEST_SERVER_URL });
  await operator.connect();
  database = await createTestDatabase();
  const url = new URL(database.url);
  name = url.pathname.slice(1);
  await operator.query(`create role ${ROLE} login password 'sesame'`);
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`
    grant all on schema public to ${ROLE};
    grant all on all tables in schema public to ${ROLE};
    grant all on all sequences in schema public to ${ROLE}`);
  await owner.end();
  [url.username, url.password] = [ROLE, 'sesame'];
  database = { ...database, url: url.href };
  running = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
  services.push(running);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill9()));
  await database?.drop();
  await operator.query(`drop role ${ROLE}`);
  await operator.end();
});

describe.each([
  {
    what: 'is closed to connections (allow_connections false)',
    close: () => `alter database ${name} allow_connections false`,
    open: () => `alter database ${name} allow_connections true`,
    says: /database "\w+" is not currently accepting connections\. Trying again in /,
  },
  {
    what: 'may not be connected to (connect revoked)',
    close: () => `revoke connect on database ${name} from public`,
    open: () => `grant connect on database ${name} to public`,
    says: /permission denied for database "\w+"\. Trying again in /,
  },
])('a database that $what', ({ close, open, says }) => {
  beforeEach(async () => {
    await operator.query(close());
    await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });
  afterEach(() => operator.query(open()));

  it('is away: requests get 503 without a stack in the log, and are served when it is back', async () => {
    const answers = [
      await running.get(FEED),
      await running.get('/v1/log'),
      await running.get(`/v1/proof/exists?platform=ethereum&identity=a&public_key=${alice.key.compressed}`),
      await walletPayload(running, alice, aWallet('alice')),
      await running.get('/readyz'),
    ];
    await operator.query(open());

    for (const answer of answers) {
      expectRefusal(answer, { status: 503, code: 'database_unavailable', message: /database/ });
      expect(answer.headers.get('Retry-After')).toBe('5');
    }
    await until(async () => (await running.get(FEED)).status === 200);
    expect(messagesIn(running.output())).not.toMatch(/^ {4}at /m);
    expect((await linkWallet(running, alice, aWallet(`alice ${performance.now()}`))).status).toBe(201);
  });

  it('is waited for by a server that starts', async () => {
    const starting = launchService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
    services.push(starting);
    let isEnded = false;
    void starting.ended.then(() => (isEnded = true));

    await until(() => isEnded || says.test(messagesIn(starting.output())));
    await operator.query(open());
    const started = await starting.ready();

    expect((await started.get(FEED)).status).toBe(200);
    await started.kill9();
  });
});
