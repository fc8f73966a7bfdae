import pg from 'pg';
import type { Bound } from '../../src/bounds/bounds.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { refusedBy } from '../support/refused.js';
import { expectRefusal } from '../support/refusals.js';
import { openSse } from '../support/sse-client.js';
import { until } from '../support/until.js';

/** The default. */
const POOL_SIZE = 10;
const alice = anAvatar('alice').key.compressed;
const bob = aWallet('bob').address;

let database: TestDatabase;
let operator: pg.Client;
/** Looks from outside: within a transaction, which sessions there are is read once. */
let observer: pg.Client;
let running: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  [operator, observer] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([operator.connect(), observer.connect()]);
});
afterAll(async () => {
  await Promise.all([operator.end(), observer.end()]);
  await database.drop();
});
afterEach(async () => {
  // A test that failed holds its table still.
  await letGo();
  await running.close();
});

const start = async (env: Record<string, string>) => {
  running = await startApp({
    databaseUrl: database.url,
    env: {
      LOAD_SHEDDING: 'on',
      ADMIN_TOKEN,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      // What hangs, hangs until the test lets it go, however long the others take on a busy machine.
      DATABASE_LOCK_TIMEOUT_MS: '0',
      DATABASE_STATEMENT_TIMEOUT_MS: '0',
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      ...env,
    },
  });
};

/** One request of each class, to be answered 200 while another class hangs. */
const SERVED: Record<string, () => Promise<number>> = {
  reads: async () => (await running.get('/v1/proofchain/changes?last_id=0')).status,
  searches: async () => (await running.get('/v1/proof?identity=ali')).status,
  writes: async () => (await running.post('/v1/proof/payload', linkOf(bob))).status,
  admin: async () => (await adminOf(running).get('/jobs')).status,
  documents: async () => (await running.get('/openapi.json')).status,
  streams: async () => (await fetch(`${running.baseUrl}/v1/events`, { method: 'HEAD' })).status,
  'the live probe': async () => (await running.get('/livez')).status,
  // Says after two seconds that the database does not answer, which it may not on a busy machine.
  'the ready probe': async () => {
    await until(async () => (await running.get('/readyz')).status === 200);
    return 200;
  },
  'the health check': async () => (await running.get('/healthz')).status,
};
const linkOf = (identity: string) => ({ action: 'create', platform: 'ethereum', identity, public_key: alice });
const avatarNumber = (number: number) => anAvatar(`number ${number}`).key.compressed;

/** How each class is made to hang: the table that its requests need and no other class does, and such a request. */
interface Hanging {
  table: string;
  before?: () => Promise<void>;
  ask: (number: number) => Promise<Answer | Response>;
  /** Whether they are sent at once, because they hang for a short time only. */
  isShort?: boolean;
  /** How one is answered that hung for two seconds, where that is too long for it. */
  tooLong?: number;
}
const HANGING: Record<string, Hanging> = {
  reads: {
    table: 'kv_entry',
    ask: (number) => running.get(`/v1/kv/by_identity?platform=ethereum&identity=${bob}&page=${number + 1}`),
  },
  'reads that share statements': {
    table: 'kv_entry',
    ask: (number) => running.get(`/v1/kv?avatar=${avatarNumber(number)}`),
  },
  searches: { table: 'proof', ask: (number) => running.get(`/v1/proof?identity=ali${number}`), tooLong: 503 },
  writes: {
    table: 'kv_patch',
    ask: (number) =>
      running.post('/v1/kv/payload', {
        avatar: avatarNumber(number),
        platform: 'self',
        identity: avatarNumber(number),
        patch: {},
      }),
  },
  admin: { table: 'webhook_subscription', ask: () => adminOf(running).get('/subscriptions') },
  documents: { table: 'parked_event', ask: () => fetch(`${running.baseUrl}/metrics`), isShort: true },
  streams: {
    table: 'domain_event',
    // The end of the stream is in memory while somebody reads, so that nothing is asked of the database but where
    // these start.
    before: async () => {
      const reader = await openSse(running.baseUrl);
      await reader.until(({ messages }) => messages.length > 0);
    },
    ask: () => fetch(`${running.baseUrl}/v1/events?after=0`, { method: 'HEAD' }),
  },
};

/** Makes all that need `table` wait until `letGo`. */
async function hold(table: string): Promise<void> {
  await operator.query('begin');
  await operator.query(`lock table ${table} in access exclusive mode`);
}

async function letGo(): Promise<void> {
  await operator.query('rollback');
}

/** Sessions of the service that wait for a table. */
async function hangingSessions(): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`,
  );
  return rows[0]!.count;
}

/** Requests in turns of the event loop of their own, so that they cannot all share one statement. */
async function askManyTimes({ ask, isShort }: Hanging, count: number): Promise<Promise<Answer | Response>[]> {
  const answers: Promise<Answer | Response>[] = [];
  for (let number = 0; number < count; number += 1) {
    answers.push(ask(number));
    if (!isShort) await running.get('/livez');
  }
  return answers;
}

/** The answer if it refuses because too many of that class wait; a busy machine may refuse for other reasons too. */
async function refusalIn(answer: Answer | Response, name: string): Promise<Answer | null> {
  if (answer.status !== 503) return null;
  const { status, headers } = answer;
  const body = (answer instanceof Response ? await answer.json() : answer.body) as Answer['body'];
  return String(body.message).includes(`too many ${name} wait`) ? { status, headers, body } : null;
}

describe('while one class of requests hangs', () => {
  it.each(Object.keys(HANGING))('the others are served: %s', async (name) => {
    const { table, before, tooLong } = HANGING[name]!;
    await start({ MAX_POOL_WAIT_MS: '50000' });
    await before?.();
    await hold(table);
    const hanging = await askManyTimes(HANGING[name]!, 2 * POOL_SIZE);
    await until(async () => (await hangingSessions()) > 0);

    const others = Object.keys(SERVED).filter((other) => !name.startsWith(other));
    const statuses = await Promise.all(others.map((other) => SERVED[other]!()));
    const sessions = await hangingSessions();
    await letGo();

    expect(Object.fromEntries(others.map((other, index) => [other, statuses[index]]))).toEqual(
      Object.fromEntries(others.map((other) => [other, 200])),
    );
    // The relay, the listeners and the tail of the stream look at the events by themselves.
    expect(sessions).toBeLessThanOrEqual(POOL_SIZE / 2);
    const own = new Set((await Promise.all(hanging)).map(({ status }) => status));
    expect([...own].filter((status) => status >= 500 && status !== tooLong)).toEqual([]);
  });
});

describe('a class of requests of which too many wait', () => {
  it.each([
    ['reads', 'reads', 5, 'pool_reads'],
    ['reads that share statements', 'reads', 5, 'pool_reads'],
    ['searches', 'searches', 5, 'pool_searches'],
    ['writes', 'writes', 5, 'pool_writes'],
    ['admin', 'admin', 5, 'pool_admin'],
    ['documents', 'documents', 40, 'documents'],
  ] as [string, string, number, Bound][])('is refused, and only that: %s', async (name, named, count, by) => {
    const { table } = HANGING[name]!;
    await start({ MAX_POOL_WAIT_MS: '300' });
    await hold(table);
    const asked: Promise<unknown>[] = [];
    const refusals: Answer[] = [];
    const askAgain = async () => {
      for (const answer of await askManyTimes(HANGING[name]!, count)) {
        asked.push(
          answer.then((given) => refusalIn(given, named)).then((refusal) => refusal && refusals.push(refusal)),
        );
      }
      await Promise.race(asked.slice(-count));
      return refusals.length > 0;
    };

    await until(askAgain);
    // While these hang; on a busy machine it may be refused itself at first.
    await until(async () => (await SERVED[named === 'reads' ? 'searches' : 'reads']!()) === 200);
    await letGo();
    await Promise.all(asked);
    await until(async () => (await refusedBy(running))[by] > 0);

    const [{ headers, ...refusal }] = refusals as [Answer];
    expectRefusal(refusal, {
      status: 503,
      code: 'overloaded',
      message: new RegExp(`too much to do: too many ${named} wait already`),
    });
    expect(headers.get('Retry-After')).toBe('5');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('ETag')).toBeNull();
  });
});
