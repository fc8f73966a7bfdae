import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { SEARCH_INDEX } from '../../src/database/schema/upgrade-steps.js';
import { EventWakeUp } from '../../src/events/event-wake-up.js';
import { SearchUpkeep } from '../../src/proof/look-up/search-upkeep.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { connectTo } from '../support/event-writer.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

const found = aWallet('found');

let running: RunningApp;

beforeAll(async () => {
  running = await startApp({ engine: 'postgres' });
  await query('create extension pgstattuple');
});
afterAll(() => running?.close());

const query = <Row>(sql: string): Promise<Row[]> => running.app.get(DataSource).query(sql);

/** Bindings whose entries wait to be merged into the index. */
async function waiting(): Promise<number> {
  const [row] = await query<{ pending_tuples: number }>(`select * from pgstatginindex('${SEARCH_INDEX}')`);
  return row!.pending_tuples;
}

const find = () => running.get(`/v1/proof?identity=${found.address.slice(5, 30)}`);

/** Notifies the upkeep alone, and waits until its statement is done: PostgreSQL keeps the last one of each session. */
async function notify(observer: pg.Client): Promise<void> {
  const { rows } = await observer.query<{ now: Date }>('select clock_timestamp() as now');
  const done = `
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and query_start > $1
      and query like '%gin_clean_pending_list%'`;
  await until(async () => {
    running.app.get(EventWakeUp).streamGrew.next();
    return (await observer.query(done, [rows[0]!.now])).rowCount! > 0;
  });
}

describe('the upkeep of the index of searches', () => {
  it('merges what waits when bindings have come', async () => {
    await linkWallet(running, anAvatar('first'), found);
    await until(async () => (await waiting()) === 0);

    // Past the service, which hears nothing of it, once it is done with the binding.
    await until(async () => {
      await query(`update proof set identity_folded = 'other ' || random()`);
      return (await waiting()) > 0;
    });
    expect((await find()).body.ids).toEqual([]);

    await query('update proof set identity_folded = identity');
    await linkWallet(running, anAvatar('second'), aWallet('another'));
    await until(async () => (await waiting()) === 0);
    expect((await find()).body.ids).toHaveLength(1);
  });

  it('leaves the index to a process that merges already', async () => {
    const other = await connectTo(running.database.url);
    await other.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.searchMerge]);
    await until(async () => {
      await query(`update proof set identity_folded = 'other ' || random()`);
      return (await waiting()) > 0;
    });

    await notify(other);
    const left = await waiting();
    expect(left).toBeGreaterThan(0);

    await other.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.searchMerge]);
    await until(async () => {
      await notify(other);
      return (await waiting()) === 0;
    });
    await other.end();
  });

  it('says so when it begins to fail', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const outcomes = [new Error('full'), new Error('full'), null, new Error('away')];
    const merge = () => Promise.resolve(outcomes[0]).then((error) => error && Promise.reject(error));
    const streamGrew = new Subject<void>();
    new SearchUpkeep({ query: merge } as never, { streamGrew } as never, { kind: 'postgres' } as never);
    for (; outcomes.length > 0; outcomes.shift()) {
      streamGrew.next();
      await new Promise((resolve) => setImmediate(resolve));
    }

    const said = warn.mock.calls.map(([text]) => text as string);
    warn.mockRestore();
    expect(said).toEqual([expect.stringMatching(/: full$/), expect.stringMatching(/: away$/)]);
  });
});
