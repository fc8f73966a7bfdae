import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase, type OpenDatabase } from '../../src/database/database.js';
import { isConnectionLost, isServerAway, isStorageFull, isTooSlow } from '../../src/database/pg-errors.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** The error with which `work` fails. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('this should have failed');
    },
    (error: unknown) => error,
  );
}

describe('errors of the database', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let dataSource: DataSource;
  /** Gives each statement a moment: the others may take theirs on a busy machine. */
  let hurried: DataSource;
  const cleanUps: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    open = await openDatabase(loadEnvironment({ DATABASE_URL: database.url }));
    dataSource = await connect(database.url);
    hurried = await connect(database.url, { statementTimeoutMs: 300 });
    await dataSource.query('create table note (id int constraint note_id unique, text text not null)');
    await dataSource.query(`insert into note values (1, 'first')`);
  });

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  afterAll(async () => {
    await hurried?.destroy();
    await dataSource?.destroy();
    await database?.drop();
  });

  const connect = (url: string, limits: Partial<OpenDatabase> = {}) =>
    new DataSource(dataSourceOptions({ ...open, url, poolSize: 2, ...limits })).initialize();

  async function terminate(pid: number): Promise<void> {
    await dataSource.query('select pg_terminate_backend($1)', [pid]);
  }

  it.each([
    ['a broken constraint', `insert into note values (1, 'again')`],
    ['another constraint', `insert into note values (2, null)`],
    ['a mistake in a statement', 'select * from no_such_table'],
    ['a statement that takes too long', 'select pg_sleep(5)'],
  ])('are not a lost connection for %s', async (_, sql) => {
    const error = await failureOf(hurried.query(sql));

    expect(isConnectionLost(error)).toBe(false);
  });

  it.each([
    ['a statement that takes too long', 'select pg_sleep(5)'],
    ['a deadlock', `do $$ begin raise exception 'x' using errcode = 'deadlock_detected'; end $$`],
    ['a lock that nobody gives back', `do $$ begin raise exception 'x' using errcode = 'lock_not_available'; end $$`],
  ])('are a lack of time for %s', async (_, sql) => {
    const error = await failureOf(hurried.query(sql));

    expect(isTooSlow(error)).toBe(true);
    expect(isStorageFull(error)).toBe(false);
  });

  it('are a lack of room for a full disk, and nothing else', async () => {
    const raise = (name: string) =>
      failureOf(dataSource.query(`do $$ begin raise exception 'x' using errcode = '${name}'; end $$`));
    const [full, memory] = [await raise('disk_full'), await raise('out_of_memory')];

    expect([isStorageFull(full), isConnectionLost(full), isTooSlow(full)]).toEqual([true, false, false]);
    expect([isStorageFull(memory), isConnectionLost(memory), isTooSlow(memory)]).toEqual([false, true, false]);
  });

  it('are a server that is away only where waiting may help', async () => {
    const missing = new URL(database.url);
    missing.pathname = '/no_such_database';
    const [nobody, noDatabase] = [
      await failureOf(connect('postgres://me@127.0.0.1:1/nowhere')),
      await failureOf(connect(missing.href)),
    ];

    expect([isServerAway(nobody), isServerAway(noDatabase)]).toEqual([true, false]);
  });

  it('are a lost connection when the session is ended during a statement', async () => {
    const victim = await connect(database.url);
    cleanUps.push(() => victim.destroy());
    const failure = failureOf(
      victim.transaction(async (manager) => {
        const [{ pid }] = await manager.query('select pg_backend_pid() as pid');
        const statement = manager.query('select pg_sleep(10)');
        await Promise.all([statement, terminate(pid)]);
      }),
    );

    expect(isConnectionLost(await failure)).toBe(true);
  });

  it('are a lost connection when the session was ended between two statements of a transaction', async () => {
    const victim = await connect(database.url);
    cleanUps.push(() => victim.destroy());

    const failure = await failureOf(
      victim.transaction(async (manager) => {
        const [{ pid }] = await manager.query('select pg_backend_pid() as pid');
        await terminate(pid);
        for (;;) await manager.query('select 1');
      }),
    );

    expect(isConnectionLost(failure)).toBe(true);
    expect(await victim.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('are a lost connection when the end of the session was noticed before the next statement', async () => {
    const victim = await connect(database.url);
    cleanUps.push(() => victim.destroy());
    const afterTheEnd = (work: (manager: EntityManager) => Promise<unknown>) =>
      failureOf(
        victim.transaction(async (manager) => {
          const [{ pid }] = await manager.query('select pg_backend_pid() as pid');
          await terminate(pid);
          await until(() => manager.queryRunner!.isReleased);
          await work(manager);
        }),
      );

    const failures = [
      await afterTheEnd((manager) => manager.query('select 1')),
      await afterTheEnd((manager) => manager.queryRunner!.query('select 1')),
    ];

    expect(failures.map(isConnectionLost)).toEqual([true, true]);
  });

  it('are a lost connection when the server allows no more', async () => {
    const url = new URL(database.url);
    await dataSource.query(`create role crowded login connection limit 0`);
    url.username = 'crowded';
    cleanUps.push(() => dataSource.query('drop role crowded'));

    expect(isConnectionLost(await failureOf(connect(url.href)))).toBe(true);
  });

  it('are a lost connection when the database does not exist', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';

    expect(isConnectionLost(await failureOf(connect(url.href)))).toBe(true);
  });

  it.each([
    ['takes no connections now', 'alter database $1 allow_connections false', true],
    ['may not be connected to', 'revoke connect on database $1 from public', true],
    ['does not let the role in', 'alter role guest nologin', false],
  ])('of an attempt to connect are a database that is away when it %s', async (_, close, isPassing) => {
    const guests = await createEmptyDatabase();
    const url = new URL(guests.url);
    const name = url.pathname.slice(1);
    await dataSource.query('create role guest login');
    if (!close.includes('allow_connections')) url.username = 'guest';
    cleanUps.push(() => guests.drop().then(() => dataSource.query('drop role guest')));
    await dataSource.query(close.replace('$1', name));

    const failure = await failureOf(connect(url.href));

    expect([isConnectionLost(failure), isServerAway(failure)]).toEqual([true, isPassing]);
  });

  it('of an attempt to connect are a lost connection where the server has no TLS', async () => {
    const failure = await failureOf(connect(`${database.url}?sslmode=require`));

    expect([isConnectionLost(failure), isServerAway(failure)]).toEqual([true, false]);
  });

  it.each([
    ['a missing right', 'insufficient_privilege'],
    ['an object in the wrong state', 'object_not_in_prerequisite_state'],
  ])('of a statement are no lost connection for %s', async (_, name) => {
    const raise = `do $$ begin raise exception 'x' using errcode = '${name}'; end $$`;
    const failure = await failureOf(dataSource.query(raise));

    expect([isConnectionLost(failure), isServerAway(failure)]).toEqual([false, false]);
  });

  it.each([
    ['nobody listens', 'postgres://me@127.0.0.1:1/nowhere'],
    ['nobody listens on any address of a host', 'postgres://me@localhost:1/nowhere'],
    ['the socket is gone', 'postgres://me@localhost/nowhere?host=%2Fno%2Fsuch%2Ffolder'],
  ])('are a lost connection when %s', async (_, url) => {
    expect(isConnectionLost(await failureOf(connect(url)))).toBe(true);
  });

  it('are a lost connection when the server hangs up, or says nothing', async () => {
    const rude = await listen((server) => server.on('connection', (socket) => socket.destroy()));
    const silent = await listen(() => {});

    expect(isConnectionLost(await failureOf(connect(rude)))).toBe(true);
    const pool = new pg.Pool({ connectionString: silent, connectionTimeoutMillis: 2000 });
    expect(isConnectionLost(await failureOf(pool.connect()))).toBe(true);
  });

  it('are a lost connection when no connection of the pool became free in time', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 2000 });
    // The end of a pool is not that of its connections, which hear it when their database is dropped.
    pool.on('error', () => {});
    const held = await pool.connect();
    cleanUps.push(() => pool.end());

    const failure = await failureOf(pool.query('select 1'));

    held.release();
    expect(isConnectionLost(failure)).toBe(true);
  });

  it.each([
    ['a missing file', Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' })],
    ['a plain mistake', new TypeError('x is undefined')],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('are not seen in %s', (_, error) => {
    expect(isConnectionLost(error)).toBe(false);
  });

  /** A server on loopback that is not a database. */
  async function listen(behave: (server: Server) => void): Promise<string> {
    const server = createServer();
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => sockets.add(socket));
    behave(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUps.push(async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    });
    return `postgres://me@127.0.0.1:${(server.address() as AddressInfo).port}/nowhere`;
  }
});
