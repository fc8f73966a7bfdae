import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { stepClock } from '../support/clock.js';
import { createTestDatabase } from '../support/database.js';
import { databaseSettings, ENGINES_OF_TIER } from '../support/engines.js';
import { freePort } from '../support/free-port.mjs';
import { metricsWithGauges } from '../support/gauges.js';
import { launchService, messagesIn } from '../support/service-process.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

describe.each(ENGINES_OF_TIER)('the probes of a server on %s', (engine) => {
  it('say that it lives and is ready', async () => {
    const running = await startApp({ engine });

    for (const path of ['/livez', '/readyz']) {
      const { status, body } = await running.get(path);
      expect({ path, status, body }).toMatchObject({ path, status: 200, body: { status: 'ok' } });
    }
    await running.close();
  });
});

describe('a server whose clock is not that of the database', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it.each([
    [400_000, 'ahead of'],
    [-3_600_000, 'behind'],
  ])('by %i ms is ready, says so, there and in its log, and shows it in its metrics', async (ms, where) => {
    // A clock that was stepped stands still, and a busy machine takes seconds.
    const near = (seconds: number) => Math.abs(seconds - ms / 1000) < 50;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    stepClock(ms);
    const running = await startApp({ env: { LOG: 'off' } });
    stepClock(ms);
    const { status, body } = await running.get('/readyz');
    const text = await metricsWithGauges(running);
    await running.close();

    expect([status, body.clock.newest_link_ahead_seconds]).toEqual([200, 0]);
    const said = warn.mock.calls
      .map(([text]) => String(text))
      .filter((text) => text.includes(`${where} that of the database`));
    expect(said).toHaveLength(1);
    const shown = Number(/^signet_clock_ahead_seconds (.+)$/m.exec(text)?.[1]);
    expect([near(body.clock.ahead_of_database_seconds), near(shown)]).toEqual([true, true]);
  });

  it('in time says nothing of clocks', async () => {
    const running = await startApp({ env: { LOG: 'off' } });
    const { body } = await running.get('/readyz');
    await running.close();

    expect(body).toEqual({ status: 'ok' });
  });

  it('says that a clock was put back where its newest link lies in the future', async () => {
    const running = await startApp({ env: { LOG: 'off' } });
    await linkWallet(running, anAvatar(), aWallet());
    const source = running.app.get(DataSource);
    await source.query('alter table chain_link disable trigger user');
    await source.query(`update chain_link set recorded_at = recorded_at + interval '3 hours'`);
    let clock: object | undefined;
    await until(async () => (clock = (await running.get('/readyz')).body.clock) !== undefined);
    await running.close();

    expect(clock).toEqual({ ahead_of_database_seconds: 0, newest_link_ahead_seconds: expect.any(Number) });
  });
});

describe('a server whose database has gone', () => {
  let running: RunningApp;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const database = await createTestDatabase();
    running = await startApp({ databaseUrl: database.url, env: { LOG_LEVEL: 'error' } });
    drop = database.drop;
  });
  afterEach(() => running.close());

  it('lives, and is not ready', async () => {
    await drop();

    expect((await running.get('/livez')).status).toBe(200);
    const { status, body, headers } = await running.get('/readyz');
    expect({ status, body }).toEqual({
      status: 503,
      body: { message: 'The database does not answer.', code: 'database_unavailable' },
    });
    expect(headers.get('Retry-After')).toBe('5');
  });

  it('still gives its own numbers, and says that those of the database are missing', async () => {
    await drop();

    const text = await (await fetch(`${running.baseUrl}/metrics`)).text();

    expect(text).toMatch(/^signet_database_up 0$/m);
    expect(text).toMatch(/^signet_pool_waiting 0$/m);
    expect(text).not.toMatch(/^signet_links /m);
  });
});

describe('a server whose schema', () => {
  it('lacks a migration is not ready, and is once it has it', async () => {
    const { url, drop } = await createTestDatabase();
    const running = await startApp({ databaseUrl: url });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`update migrations set name = 'Later1' where name = 'Core1763700000000'`);

    const before = await running.get('/readyz');
    await client.query(`update migrations set name = 'Core1763700000000' where name = 'Later1'`);
    const after = await running.get('/readyz');

    expect({ status: before.status, code: before.body.code }).toEqual({ status: 503, code: 'migrations_pending' });
    expect(before.headers.get('Retry-After')).toBe('5');
    expect(after.status).toBe(200);
    await client.end();
    await running.close();
    await drop();
  });

  it('is that of a later build is ready', async () => {
    const { url, drop } = await createTestDatabase();
    const running = await startApp({ databaseUrl: url });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`insert into migrations (timestamp, name) values (9999999999999, 'Later9999999999999')`);

    expect((await running.get('/readyz')).status).toBe(200);
    await client.end();
    await running.close();
    await drop();
  });
});

describe('a database that gives no answer', () => {
  it('makes a server unready long before one gives up to wait for a connection', async () => {
    const env = { DATABASE_POOL_SIZE: '1', DATABASE_CONNECT_TIMEOUT_MS: '3600000' };
    const running = await startApp({ env, engine: 'postgres' });
    const runner = running.app.get(DataSource).createQueryRunner();
    await runner.connect();

    const { status, body, headers } = await running.get('/readyz');

    expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_unavailable' });
    expect(headers.get('Retry-After')).toBe('5');
    expect((await running.get('/livez')).status).toBe(200);
    await runner.release();
    await running.close();
  });
});

describe('a database in which others lock', () => {
  it.each(['migrations', 'deployment_setting'])('the table %s leaves a server ready', async (table) => {
    const { url, drop } = await createTestDatabase();
    const running = await startApp({ databaseUrl: url });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`begin; lock table ${table} in access exclusive mode`);

    const answers = [await running.get('/readyz'), await running.get('/readyz')];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await client.end();
    await running.close();
    await drop();
  });

  it('the table migrations leaves a server unready that was it before', async () => {
    const { url, drop } = await createTestDatabase();
    const running = await startApp({ databaseUrl: url });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`update migrations set name = 'Later1' where name = 'Core1763700000000'`);
    await until(async () => (await running.get('/readyz')).body.code === 'migrations_pending');
    await client.query('begin; lock table migrations in access exclusive mode');

    const { status, body } = await running.get('/readyz');

    expect({ status, code: body.code }).toEqual({ status: 503, code: 'migrations_pending' });
    await client.end();
    await running.close();
    await drop();
  });
});

describe('a server of a version that is too old for its database', () => {
  const raise = async (url: string, oldest: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`update deployment_setting set value = $1 where name in ('oldest_version', 'schema_version')`, [
      oldest,
    ]);
    await client.end();
  };

  it('is not ready from the moment on when a newer one has changed the schema, and says why', async () => {
    const { url, drop } = await createTestDatabase();
    const running = await startApp({ databaseUrl: url });
    expect((await running.get('/readyz')).status).toBe(200);

    await raise(url, '99.1.0');

    const { status, body, headers } = await running.get('/readyz');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'version_too_old' });
    expect(headers.get('Retry-After')).toBe('5');
    expect(body.message).toMatch(/needs servers of version 99\.1\.0 or newer; this is \d+\.\d+\.\d+\./);
    expect((await running.get('/livez')).status).toBe(200);
    await running.close();
    await drop();
  });

  it('lives and is not ready where it is so at the start', async () => {
    const { url, drop } = await createTestDatabase();
    await raise(url, '99.1.0');
    const port = await freePort();
    const starting = launchService({ ...databaseSettings(url), PORT: String(port) });
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
      const { code } = ((await answer?.json()) ?? {}) as { code?: string };
      return answer && { status: answer.status, code, retryAfter: answer.headers.get('Retry-After') };
    };
    const tooOld = { status: 503, code: 'version_too_old', retryAfter: '15' };

    await until(async () => (await ask('/readyz')) !== null);

    expect(await ask('/readyz')).toEqual(tooOld);
    expect(await ask('/v1/platforms')).toEqual(tooOld);
    expect((await ask('/livez'))?.status).toBe(200);
    expect(messagesIn(starting.output())).toContain('needs servers of version 99.1.0 or newer');
    await starting.kill9();
    await drop();
  });
});
