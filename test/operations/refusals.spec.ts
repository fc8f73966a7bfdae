import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { type Bound, BOUNDS, MAX_WRONG_TOKENS } from '../../src/bounds/bounds.js';
import { EventStreamService } from '../../src/event-stream/event-stream.service.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { refusedBy, untilOnlyRefusedBy } from '../support/refused.js';
import { openSse, type SseReader } from '../support/sse-client.js';
import { until } from '../support/until.js';

const alice = anAvatar('alice').key.compressed;
const wallet = aWallet('alice').address;

type Asked = Pick<Answer, 'status' | 'body'>;
const jsonOf = async (answer: Response): Promise<Asked> => ({
  status: answer.status,
  body: answer.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : undefined,
});

/** Requests that hang at a time: more than have slots. */
const MANY = 40;

/**
 * Asks again and again, until a request is refused with the status and the code that the table of bounds says.
 * @param mostOpen requests that wait for their answers at a time
 */
async function untilRefused(by: Bound, ask: (number: number) => Promise<Asked>, mostOpen = 1): Promise<void> {
  const { status, code } = BOUNDS[by] as { status?: number; code?: string };
  expect(status).toBeDefined();
  const answers: Asked[] = [];
  let asked = 0;
  await until(() => {
    if (asked - answers.length < mostOpen) void ask(asked++).then((answer) => answers.push(answer));
    return answers.some((answer) => answer.status === status && answer.body.code === code);
  });
}

it('are counted from zero on, for every bound', async () => {
  const running = await startApp();

  const counts = await refusedBy(running);
  await running.close();

  expect(counts).toEqual(Object.fromEntries(Object.keys(BOUNDS).map((by) => [by, 0])));
});

describe('what one client may ask for', () => {
  const LIMITS = {
    ADMIN_TOKEN,
    RATE_LIMIT: 'on',
    RATE_LIMIT_READS: '2',
    RATE_LIMIT_SEARCHES: '2',
    RATE_LIMIT_PAYLOADS: '4',
    RATE_LIMIT_SUBMITS: '1',
    RATE_LIMIT_STREAMS: '2',
    RATE_LIMIT_ADMIN: '2',
    MAX_EVENT_STREAMS: '3',
    MAX_EVENT_STREAMS_PER_CLIENT: '2',
    TRUST_PROXY: '1',
  };
  let running: RunningApp;
  beforeEach(async () => {
    running = await startApp({ env: LIMITS });
  });
  afterEach(() => running.close());

  const from = (number: number) => ({ 'X-Forwarded-For': `192.0.2.${number}` });
  const submit = { action: 'create', platform: 'github', identity: 'alice', public_key: alice, proof_location: 'a' };
  const open = async (client: number): Promise<SseReader> =>
    openSse(running.baseUrl, '/v1/events', { headers: from(client) });

  const REFUSED: Partial<Record<Bound, () => Promise<Asked>>> = {
    rate_reads: () => running.get('/v1/platforms', from(1)),
    rate_searches: () => running.get('/v1/proof?identity=ali', from(1)),
    rate_payloads: () => running.post('/v1/proof/payload', {}, from(1)),
    rate_submits: () => running.post('/v1/proof', submit, from(1)),
    rate_admin: () => running.get('/admin/v1/jobs', { ...from(1), Authorization: `Bearer ${ADMIN_TOKEN}` }),
  };
  it.each(Object.keys(REFUSED) as Bound[])('is counted by the limit: %s', async (by) => {
    await untilRefused(by, REFUSED[by]!);

    await untilOnlyRefusedBy(running, by);
  });

  it('is counted by the limit: rate_documents', async () => {
    const other = await startApp({ env: { RATE_LIMIT: 'on', RATE_LIMIT_DOCUMENTS: '200', TRUST_PROXY: '1' } });
    const ask = async () => jsonOf(await fetch(`${other.baseUrl}/docs`, { headers: from(1) }));
    await Promise.all(Array.from({ length: 200 }, ask));

    await untilRefused('rate_documents', ask);

    await untilOnlyRefusedBy(other, 'rate_documents');
    await other.close();
  });

  it('is counted by the limit: rate_streams, and the streams that are open by theirs', async () => {
    const two = [await open(1), await open(1)];
    await open(1);
    await untilOnlyRefusedBy(running, 'rate_streams');
    two[0]!.close();
    await until(() => running.app.get(EventStreamService).openStreams === 1);
    const others = [await open(2), await open(3), await open(4)];

    expect(others.map(({ status }) => status)).toEqual([200, 200, 429]);
    for (const reader of [...two, ...others]) reader.close();

    await untilOnlyRefusedBy(running, 'rate_streams', 'streams');
  });

  it('is counted by the limit: streams_of_client', async () => {
    const other = await startApp({ env: { RATE_LIMIT: 'on', MAX_EVENT_STREAMS_PER_CLIENT: '1' } });
    const first = await openSse(other.baseUrl);

    const { status } = await openSse(other.baseUrl);

    expect([first.status, status]).toEqual([200, 429]);
    await untilOnlyRefusedBy(other, 'streams_of_client');
    await other.close();
  });

  it('is counted by the limit: wrong_tokens', async () => {
    const other = await startApp({ env: { RATE_LIMIT: 'on', ADMIN_TOKEN } });
    const answers: Answer[] = [];
    for (let sent = 0; sent <= MAX_WRONG_TOKENS; sent += 1) answers.push(await adminOf(other, 'wrong').get('/jobs'));

    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(MAX_WRONG_TOKENS).fill(401), 429]);
    await untilOnlyRefusedBy(other, 'wrong_tokens');
    expect((await refusedBy(other)).wrong_tokens).toBe(1);
    await other.close();
  });
});

it('of connections beyond the limit of open files are counted', async () => {
  const running = await startApp();
  const server = running.app.getHttpServer() as Server;
  const { port } = server.address() as { port: number };
  const usual = server.maxConnections;
  const first = connect(port, '127.0.0.1');
  await once(server, 'connection');
  server.maxConnections = 1;

  await once(connect(port, '127.0.0.1'), 'close');
  server.maxConnections = usual;
  first.destroy();

  await untilOnlyRefusedBy(running, 'connections');
  await running.close();
});

describe('who would have to wait for a connection, or for a slot', () => {
  let database: TestDatabase;
  let operator: pg.Client;
  let running: RunningApp;
  beforeEach(async () => {
    database = await createTestDatabase();
    operator = new pg.Client(database.url);
    await operator.connect();
    running = await startApp({
      databaseUrl: database.url,
      env: {
        LOAD_SHEDDING: 'on',
        ADMIN_TOKEN,
        // A share is one connection, and others are left for all else.
        DATABASE_POOL_SIZE: '8',
        DATABASE_LOCK_TIMEOUT_MS: '0',
        DATABASE_STATEMENT_TIMEOUT_MS: '0',
        MAX_POOL_WAIT_MS: '400',
        MAX_EVENT_LOOP_DELAY_MS: '60000',
      },
    });
  });
  afterEach(async () => {
    await operator.query('rollback');
    await running.close();
    await operator.end();
    await database.drop();
  });

  const names = Array.from({ length: 40 }, (_, number) => `name-${number}`).join();
  /** What each asker needs that others have locked, and such a request. */
  const HELD: Partial<Record<Bound, { table: string; ask: (number: number) => Promise<Asked> }>> = {
    pool_reads: {
      table: 'kv_entry',
      ask: (page) => running.get(`/v1/kv/by_identity?platform=ethereum&identity=${wallet}&page=${page + 1}`),
    },
    pool_large_reads: {
      table: 'proof',
      ask: (page) => running.get(`/v1/proof?platform=github&identity=${names}&exact=true&page=${page + 1}`),
    },
    pool_writes: {
      table: 'chain_link',
      ask: (number) =>
        running.post('/v1/proof/payload', {
          action: 'create',
          platform: 'ethereum',
          identity: wallet,
          public_key: anAvatar(`number ${number}`).key.compressed,
        }),
    },
    pool_searches: { table: 'proof', ask: (number) => running.get(`/v1/proof?identity=ali${number}`) },
    pool_admin: { table: 'webhook_subscription', ask: () => adminOf(running).get('/subscriptions') },
    documents: {
      table: 'parked_event',
      ask: async () => jsonOf(await fetch(`${running.baseUrl}/metrics`)),
    },
  };
  it.each(Object.keys(HELD) as Bound[])('is counted by the bound: %s', async (by) => {
    const { table, ask } = HELD[by]!;
    await operator.query(`begin; lock table ${table} in access exclusive mode`);

    await untilRefused(by, ask, MANY);
    await operator.query('rollback');

    await until(async () => (await refusedBy(running))[by] > 0);
    const counts = Object.entries(await refusedBy(running)).filter(([, count]) => count > 0);
    // On a busy machine any request may have to wait for a connection.
    expect(counts.map(([name]) => name).filter((name) => name !== 'pool_wait')).toEqual([by]);
  });
});
