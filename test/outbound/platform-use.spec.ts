import { jest } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { PlatformUse } from '../../src/outbound/platform-use.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { RecheckRunner } from '../../src/rechecks/recheck.runner.js';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('the counts of requests to platforms', () => {
  let database: TestDatabase;
  let running: RunningApp;

  beforeEach(async () => {
    database = await createTestDatabase();
    running = await startApp({ databaseUrl: database.url });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await running.close();
    await database.drop();
  });

  const send = (paidReads: number) => running.app.get(WebClient).requests.next({ platform: 'twitter', paidReads });
  const counted = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const sql = 'select requests::int, paid_reads::int as reads, current_date - day as days from platform_use';
    const { rows } = await client.query<{ requests: number; reads: number }>(`${sql} order by day`);
    await client.end();
    return rows.map(({ requests, reads }) => [requests, reads]);
  };

  it('are written once, however often writing them failed, without the days that are no longer kept', async () => {
    const source = running.app.get(DataSource);
    await source.query(`insert into platform_use values (current_date - 500, 'twitter', 7, 7)`);
    const use = running.app.get(PlatformUse);
    const query = source.query.bind(source);
    // The database goes away before the second statement, if there is one.
    let asked = 0;
    jest.spyOn(source, 'query').mockImplementation(((sql: string, values: unknown[]) => {
      if (!sql.includes('platform_use')) return query(sql, values);
      return (asked += 1) % 2 === 0 ? Promise.reject(new Error('away')) : query(sql, values);
    }) as never);

    send(1);
    await use.flush();
    asked = 1;
    send(0);
    await use.flush();
    await use.flush();

    expect(await counted()).toEqual([[2, 1]]);
  });

  it('have what is asked while the server stops', async () => {
    // Rechecks that run are let end.
    const runner = running.app.get(RecheckRunner);
    const settle = runner.beforeApplicationShutdown.bind(runner);
    jest.spyOn(runner, 'beforeApplicationShutdown').mockImplementation(async () => {
      await settle();
      send(5);
    });

    await running.app.close();

    expect(await counted()).toEqual([[1, 5]]);
  });
});
