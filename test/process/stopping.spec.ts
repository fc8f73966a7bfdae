import { jest } from '@jest/globals';
import { connect } from 'node:net';
import pg from 'pg';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Starts and stops take long on a busy machine. */
const PATIENCE_MS = 60_000;

jest.setTimeout(2 * PATIENCE_MS);

let database: TestDatabase;
let service: ServiceProcess;
let outside: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  outside = new pg.Client({ connectionString: database.url });
  await outside.connect();
  service = await startService({ DATABASE_URL: database.url });
});
afterEach(async () => {
  await service.kill9();
  await outside.end();
  await database.drop();
});

const isRefused = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(false)));
    socket.once('error', () => resolve(true));
  });

/** Keeps every submit waiting at its insert until `release` is called. */
async function holdSubmits(): Promise<{ isHeld(): Promise<boolean>; release(): Promise<unknown> }> {
  await outside.query('begin');
  await outside.query('lock table chain_link in exclusive mode');
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    isHeld: async () => (await outside.query(waiting)).rowCount! > 0,
    release: () => outside.query('rollback'),
  };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('a service that is told to stop by %s', (signal) => {
  it('finishes what runs, takes nothing new, and ends with code 0', async () => {
    const lock = await holdSubmits();
    const running = linkWallet(service, anAvatar('alice'), aWallet('alice'));
    await until(() => lock.isHeld(), PATIENCE_MS);

    service.signal(signal);
    await until(isRefused, PATIENCE_MS);
    await lock.release();

    expect((await running).status).toBe(201);
    const { code, output } = await service.ended;
    expect(code).toBe(0);
    expect(output).toContain(`${signal}: finishing running requests`);
    expect((await outside.query('select 1 from chain_link')).rowCount).toBe(1);
  });
});

describe('a service that is told to stop', () => {
  it('ends with code 0 although clients keep idle connections open', async () => {
    await service.get('/healthz');
    const idle = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));

    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(0);
    idle.destroy();
  });
});

describe('a service that is told to stop twice', () => {
  it('ends at once, whatever runs', async () => {
    const lock = await holdSubmits();
    const running = linkWallet(service, anAvatar('alice'), aWallet('alice')).catch((error: unknown) => error);
    await until(() => lock.isHeld(), PATIENCE_MS);

    service.signal('SIGTERM');
    await until(isRefused, PATIENCE_MS);
    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(1);
    await lock.release();
    await running;
  });
});
