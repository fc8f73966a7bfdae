import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../../src/database/advisory-locks.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectRefusal } from '../../support/refusals.js';
import { linkWallet } from '../../support/scenario.js';
import { until } from '../../support/until.js';

const alice = anAvatar('alice');
const FEED = '/v1/proofchain/changes?last_id=0';

let database: TestDatabase;
let running: RunningApp;
/** An operator at the console of the database. */
let operator: pg.Client;

async function start(env: Record<string, string> = {}, databaseUrl = database.url): Promise<void> {
  running = await startApp({ env, databaseUrl });
}

beforeEach(async () => {
  database = await createTestDatabase();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
});
afterEach(async () => {
  await operator.end();
  await running.close();
  await database.drop();
});

describe('a database that is slow', () => {
  const slow = { status: 503, code: 'database_slow', message: 'took too long; try again' };

  it.each([
    ['a statement takes too long', { DATABASE_STATEMENT_TIMEOUT_MS: '300', DATABASE_LOCK_TIMEOUT_MS: '0' }],
    ['a lock is held too long', { DATABASE_LOCK_TIMEOUT_MS: '300' }],
  ])('is answered with 503 when %s, and served from again afterwards', async (_what, env) => {
    await start(env);
    // A table of somebody else, whose name means something in a regular expression.
    await operator.query('create table "odd(" (x integer)');
    await operator.query('begin');
    await operator.query('lock table chain_link, "odd(" in access exclusive mode');

    const answers = [
      await running.get(FEED),
      await linkWallet(running, alice, aWallet('alice')),
      await running.get(`/v1/proofchain?public_key=${alice.key.compressed}`),
    ];
    await operator.query('rollback');

    for (const answer of answers) {
      expectRefusal(answer, slow);
      expect(answer.headers.get('Retry-After')).toBe('5');
    }
    await until(async () => (await running.get(FEED)).status === 200);
    expect((await linkWallet(running, alice, aWallet('alice'))).status).toBe(201);
  });

  it('ends a session that left a transaction standing, so that others get the lock', async () => {
    await start({ DATABASE_IDLE_IN_TRANSACTION_MS: '500' });
    const stalled = running.app.get(DataSource).createQueryRunner();
    await stalled.startTransaction();
    await stalled.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.append]);

    const { status } = await linkWallet(running, alice, aWallet('alice'));

    expect(status).toBe(201);
    await expect(stalled.query('select 1')).rejects.toThrow();
    await stalled.release();
  });
});

describe('a disk that is full', () => {
  /** What PostgreSQL says when a table cannot grow. A real full disk is in full-disk.long.spec.ts. */
  const FULL = `
    create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file "base/5/16421": No space left on device' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert on chain_link execute function no_room();`;

  it('stops writes with 503 and a reason, not reads, and is over when there is space', async () => {
    await start();
    const first = await linkWallet(running, alice, aWallet('first'));
    await operator.query(FULL);

    const refused = await linkWallet(running, alice, aWallet('second'));
    const read = await running.get(FEED);
    await operator.query('drop trigger no_room on chain_link');
    const later = await linkWallet(running, alice, aWallet('second'));

    expect(first.status).toBe(201);
    expectRefusal(refused, { status: 503, code: 'storage_full', message: 'no room to write' });
    expect(JSON.stringify(refused.body)).not.toContain('base/5');
    expect(refused.headers.get('Retry-After')).toBe('60');
    expect(read.body.links).toHaveLength(1);
    expect(later.status).toBe(201);
  });
});

describe('a database that vanishes without a word', () => {
  it('is given up soon after the statement timeout, and found again', async () => {
    const proxy = await silenceableProxy(database.url);
    await start({ DATABASE_STATEMENT_TIMEOUT_MS: '200', DATABASE_POOL_SIZE: '3' }, proxy.url);
    const readAtOnce = () => Promise.all(Array.from({ length: 6 }, () => running.get(FEED)));
    // All connections of the pool are open then: work in the background may have one of them.
    expect((await readAtOnce()).map(({ status }) => status)).toEqual(Array(6).fill(200));
    proxy.silence();

    const answers = await readAtOnce();

    const refusals = answers.filter(({ status }) => status !== 200);
    expect(refusals.length).toBeGreaterThan(0);
    for (const answer of refusals)
      expectRefusal(answer, { status: 503, code: 'database_unavailable', message: 'cannot be reached' });
    await until(async () => (await running.get(FEED)).status === 200);
    await proxy.close();
  });
});

interface Proxy {
  url: string;
  /** From now on nothing passes on the connections that are open, and nobody is told. New ones work. */
  silence(): void;
  close(): Promise<void>;
}

async function silenceableProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    silence: () => sockets.forEach((socket) => socket.unpipe().pause()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
