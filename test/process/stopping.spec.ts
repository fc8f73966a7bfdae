import { jest } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Answer } from '../support/app.js';
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
  service = await startService({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: '0' });
});
afterEach(async () => {
  await service.kill9();
  await outside.end();
  await database.drop();
});

/** Asks seldom: the listener closes when no connection has come for some 200 milliseconds. */
const isRefused = async () => {
  await delay(400);
  return new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(false)));
    socket.once('error', () => resolve(true));
  });
};

/** A submit that waits at its insert until `release` is called. */
async function heldSubmit(): Promise<{ answer: Promise<Answer>; release(): Promise<unknown> }> {
  await outside.query('begin');
  await outside.query('lock table chain_link in exclusive mode');
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const answer = linkWallet(service, anAvatar('alice'), aWallet('alice'));
  const tooEarly = answer.then(({ status, body }) => {
    throw new Error(`Answered ${status} before it was held: ${JSON.stringify(body)}`);
  });
  const isHeld = async (): Promise<boolean> => {
    // Inside a transaction the first look at the activity is repeated until it is forgotten.
    await outside.query('select pg_stat_clear_snapshot()');
    return (await outside.query(waiting)).rowCount! > 0;
  };
  await Promise.race([tooEarly, until(isHeld, PATIENCE_MS)]);
  tooEarly.catch(() => {});
  return { answer, release: () => outside.query('rollback') };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('a service that is told to stop by %s', (signal) => {
  it('finishes what runs, takes nothing new, and ends with code 0', async () => {
    const submit = await heldSubmit();

    service.signal(signal);
    await until(isRefused, PATIENCE_MS);
    await submit.release();

    expect((await submit.answer).status).toBe(201);
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

  it('ends the event streams that are open, with code 0', async () => {
    const stream = await fetch(`${service.baseUrl}/v1/events`);

    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(0);
    expect(stream.headers.get('content-type')).toMatch('text/event-stream');
    await stream.body!.cancel().catch(() => {});
  });
});

describe('a service that is told to stop twice', () => {
  it('ends at once, whatever runs', async () => {
    const submit = await heldSubmit();
    submit.answer.catch(() => {}); // it is cut off

    service.signal('SIGTERM');
    await until(isRefused, PATIENCE_MS);
    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(1);
    await submit.release();
  });
});
