import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { isSomebodyWaiting } from '../../support/locks.js';
import { expectRefusal } from '../../support/refusals.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** Loaded into the service before anything else: a signal makes the mistake that a defect would make. */
const MISTAKES = `data:text/javascript,
  process.on('SIGUSR2', () => void Promise.reject(new Error('a stray promise')));
  process.on('SIGHUP', () => setTimeout(() => { throw new Error('a stray exception'); }));`.replaceAll(/\s+/g, '%20');
const FEED = '/v1/proofchain/changes?last_id=0';

let database: TestDatabase;
let service: ServiceProcess;
let operator: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  service = await startService({ DATABASE_URL: database.url, NODE_OPTIONS: `--import=${MISTAKES}` });
});
afterEach(async () => {
  await service.kill9();
  await operator.end();
  await database.drop();
});

describe('an error that nobody foresaw', () => {
  it('in a request is answered without internals, logged with the id of the request, and hurts no other request', async () => {
    await operator.query('alter table kv_entry rename to gone');

    const answers = await Promise.all([
      service.get('/v1/kv?avatar=0x0238e176a158d5c40f36f6b49e8ba9332fb6dca03a34f03373cfaa398f710ddf5d'),
      service.get(FEED),
      service.get('/healthz'),
    ]);

    expectRefusal(answers[0], { status: 500, code: 'internal_error', message: 'request id is in our log' });
    expect(JSON.stringify(answers[0].body)).not.toContain('kv_entry');
    const id = answers[0].headers.get('X-Request-Id')!;
    await until(() => service.output().includes(id));
    const line = service
      .output()
      .split('\n')
      .find((text) => text.includes(id))!;
    expect(line).toContain('kv_entry');
    expect(answers.slice(1).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('in a forgotten promise is logged, and the service goes on', async () => {
    service.signal('SIGUSR2');

    await until(() => service.output().includes('a stray promise'));
    expect((await service.get(FEED)).status).toBe(200);
  });

  it('in a callback is logged; running requests are finished, and the process ends with code 1', async () => {
    await operator.query('begin');
    await operator.query('lock table chain_link in access exclusive mode');
    const running = service.get(FEED);
    await until(() => isSomebodyWaiting(operator));

    service.signal('SIGHUP');
    service.signal('SIGHUP');
    await until(() => service.output().includes('a stray exception'));
    await operator.query('rollback');

    expect((await running).status).toBe(200);
    const { code, output } = await service.ended;
    expect(code).toBe(1);
    expect(output).toContain('finishing running requests, then stopping.');
  });
});
