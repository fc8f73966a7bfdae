import type { TestingModule } from '@nestjs/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { EventDelivery } from '../../src/events/event-delivery.js';
import { EventLog } from '../../src/events/event-log.js';
import { EventRelay } from '../../src/events/event-relay.js';
import { EventRetention } from '../../src/events/event-retention.js';
import { ParkedEvents } from '../../src/events/parked-events.js';
import { type OpenTestDatabase, openTestDatabase, DEFAULT_ENGINE } from '../support/engines.js';
import { isSomebodyWaiting } from '../support/locks.js';
import { until } from '../support/until.js';
import {
  cursorOf,
  Diary,
  diaryOf,
  failuresOf,
  PositionListener,
  recordEvents,
  recordIn,
  startEventServer,
} from './event-server.js';

const DAY_MS = 86_400_000;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

let opened: OpenTestDatabase;
let server: TestingModule;
let diary: Diary;
/** The connection of another server. */
let elsewhere: pg.Client;

beforeEach(async () => {
  opened = await openTestDatabase(DEFAULT_ENGINE);
  server = await startEventServer(opened, { EVENT_RETENTION_DAYS: '30' });
  diary = server.get(Diary);
  elsewhere = new pg.Client({ connectionString: opened.database.directUrl });
  await elsewhere.connect();
});

afterEach(async () => {
  await elsewhere?.end();
  await server?.close();
  await opened?.drop();
});

/** From here on the test alone delivers. The last pass of the relay may come a quarter of a second behind its cause. */
const stopRelay = () => server.get(EventRelay).onApplicationShutdown();

/** Lets an hour pass for the listeners again and again, so that every retry is due, until nobody has more to do. */
async function deliverFor(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await server.get(DataSource).query(`update event_handler set retry_at = retry_at - interval '1 hour'`);
    while (await server.get(EventDelivery).deliverNext());
  }
}

/** Adds numbered events, of which the relay hears nothing. */
const addEvents = (from: number, count: number) =>
  server.get(DataSource).query(
    `insert into domain_event (name, payload, position)
     select 'kv.patched', '{}', $1::int + n from generate_series(0, $2::int - 1) as n`,
    [from, count],
  );
const goesOn = () => server.get(EventDelivery).deliverNext();

/** Lets others read the cursors of the listeners, and neither claim nor move them. */
const LOCK = 'lock table event_handler in exclusive mode';

/** What `goesOn` returns where another server does `change` after this one saw who is behind, and before it claims. */
async function goesOnAfter(change: string): Promise<boolean> {
  await elsewhere.query(`begin; ${LOCK}`);
  const answer = goesOn();
  await until(() => isSomebodyWaiting(elsewhere));
  await elsewhere.query(`${change}; commit`);
  return answer;
}

function refuse(position: number): void {
  diary.check = (event) => {
    if (event.position === position) throw new Error('the page is torn');
  };
}

describe('a listener that cannot take an event', () => {
  it('has written nothing of it, has all before it, and is asked again', async () => {
    refuse(3);
    await recordEvents(server, upTo(5));
    await until(async () => (await failuresOf(server, 'diary')) === 1);
    await stopRelay();
    expect(await cursorOf(server, 'diary')).toBe(2);
    expect(await diaryOf(server)).toEqual([1, 2]);

    diary.check = () => {};
    await deliverFor(1);

    expect(await diaryOf(server)).toEqual(upTo(5));
  });

  it('is not asked before its time by a server that saw it due a moment before', async () => {
    await recordEvents(server, [1]);
    await until(async () => (await cursorOf(server, 'diary')) === 1 && (await cursorOf(server, 'positions')) === 1);
    await stopRelay();
    const failElsewhere = `update event_handler set retry_at = now() + interval '100 seconds' where name = 'diary'`;
    await addEvents(2, 1);

    expect(await goesOnAfter(failElsewhere)).toBe(false);
    expect(await diaryOf(server)).toEqual([1]);
    expect(await cursorOf(server, 'positions')).toBe(2);
    await deliverFor(2);
    expect(await diaryOf(server)).toEqual([1, 2]);
  });

  it.each([
    [0, 1_000],
    [3, 8_000],
    [8, 60_000],
  ])('is asked again after %i failures before this one in %i ms, by the clock of the database', async (before, ms) => {
    refuse(1);
    const dataSource = server.get(DataSource);
    await dataSource.query(`insert into event_handler (name, failures) values ('diary', $1)`, [before]);
    await recordEvents(server, [1]);
    await until(async () => (await failuresOf(server, 'diary')) === before + 1);

    const [{ left }] = (await dataSource.query(
      `select extract(epoch from retry_at - clock_timestamp()) * 1000 as left from event_handler where name = 'diary'`,
    )) as [{ left: string }];

    expect(Number(left)).toBeLessThanOrEqual(ms);
    // Some of it has passed since.
    expect(Number(left)).toBeGreaterThan(ms - 15_000);
    if (before > 0) expect(Number(left)).toBeGreaterThan(0);
  });

  it('is not blamed where the database went away, which everybody hears of once all others had their turn', async () => {
    let isLost = false;
    diary.check = () => {
      if (isLost) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
    };
    await recordEvents(server, [1]);
    await until(async () => (await cursorOf(server, 'diary')) === 1 && (await cursorOf(server, 'positions')) === 1);
    await stopRelay();
    isLost = true;
    await server.get(DataSource).transaction((manager) => recordIn(server, manager, 2));
    await server.get(DataSource).query('update domain_event set position = 2 where position is null');

    await expect(server.get(EventDelivery).deliverNext()).rejects.toThrow('terminating connection');

    expect(await cursorOf(server, 'positions')).toBe(2);
    expect([await cursorOf(server, 'diary'), await failuresOf(server, 'diary')]).toEqual([1, 0]);
    isLost = false;
    await server.get(EventDelivery).deliverNext();
    expect(await diaryOf(server)).toEqual([1, 2]);
  });

  it('does not hold up the other listeners', async () => {
    refuse(1);
    await recordEvents(server, upTo(5));

    await until(async () => (await cursorOf(server, 'positions')) === 5);

    expect(server.get(PositionListener).positions).toEqual(upTo(5));
    expect(await cursorOf(server, 'diary')).toBe(0);
  });

  it('goes on without it after ten failures, and an operator can look at it, replay it or drop it', async () => {
    const parked = server.get(ParkedEvents);
    let tries = 0;
    diary.check = (event) => {
      if (event.position !== 2) return;
      tries += 1;
      throw new Error('the page is torn');
    };
    await recordEvents(server, upTo(3));
    await until(async () => (await cursorOf(server, 'diary')) === 1);
    await stopRelay();

    while (tries < 9) await deliverFor(1);
    expect((await parked.list(1)).total).toBe(0);
    await deliverFor(2);

    expect(await diaryOf(server)).toEqual([1, 3]);
    const { items, total } = await parked.list(1);
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      handler: 'diary',
      position: 2,
      type: 'kv.patched',
      payload: { patch_id: 2 },
      error: expect.stringContaining('the page is torn'),
    });

    await expect(parked.replay('diary', 2)).rejects.toMatchObject({
      code: 'event_failed_again',
      cause: expect.objectContaining({ message: 'the page is torn' }),
    });
    expect((await parked.list(1)).total).toBe(1);
    // A failure of the database is not one of the event.
    diary.check = ({ manager }) => manager.query("do 'begin raise exception using errcode = ''55P03''; end'");
    await expect(parked.replay('diary', 2)).rejects.toMatchObject({ driverError: { code: '55P03' } });
    expect((await parked.list(1)).total).toBe(1);
    diary.check = () => {};
    await parked.replay('diary', 2);

    expect(await diaryOf(server)).toEqual([1, 3, 2]);
    expect((await parked.list(1)).total).toBe(0);
    await expect(parked.replay('diary', 2)).rejects.toMatchObject({ code: 'parked_event_not_found' });
    await expect(parked.drop('diary', 2)).rejects.toMatchObject({ code: 'parked_event_not_found' });
  });
});

describe('a round of all listeners', () => {
  it('says whether there may be more: where a batch was full, or an event was parked', async () => {
    expect(await goesOn()).toBe(false);
    await addEvents(1, 100);
    expect(await goesOn()).toBe(true);
    expect(await goesOn()).toBe(false);
    await addEvents(101, 99);
    expect(await goesOn()).toBe(false);
    expect(await cursorOf(server, 'diary')).toBe(199);

    refuse(200);
    await addEvents(200, 1);
    expect(await goesOn()).toBe(false);
    expect(await failuresOf(server, 'diary')).toBe(1);
    await server.get(DataSource).query(`update event_handler set failures = 9, retry_at = null where name = 'diary'`);
    expect(await goesOn()).toBe(true);
    expect((await server.get(ParkedEvents).list(1)).items).toMatchObject([{ handler: 'diary', position: 200 }]);
    expect(await cursorOf(server, 'diary')).toBe(200);
  });

  it('leaves a listener to the server that is at it', async () => {
    await addEvents(1, 1);
    await goesOn();
    await addEvents(2, 1);
    await server.get(DataSource).transaction(async (other) => {
      await other.query('select from event_handler for update');

      expect(await goesOn()).toBe(false);
    });
    expect(await diaryOf(server)).toEqual([1]);
  });

  it('has nothing to do where another server has delivered all a moment before', async () => {
    await addEvents(1, 1);
    await goesOn();
    await addEvents(2, 1);

    expect(await goesOnAfter('update event_handler set position = 2')).toBe(false);
    expect(await diaryOf(server)).toEqual([1]);
  });

  it('forgets a failure where another server has delivered the event meanwhile', async () => {
    await addEvents(1, 1);
    let delivered: Promise<unknown> = Promise.resolve();
    diary.check = async ({ manager }) => {
      // The other server waits for the transaction of this batch, and the record of its failure for the other server.
      delivered = elsewhere.query(`begin; ${LOCK}; update event_handler set position = 1 where name = 'diary'; commit`);
      const isWaiting = `select 1 from pg_locks where relation = 'event_handler'::regclass and not granted`;
      await until(async () => (await manager.query<unknown[]>(isWaiting)).length === 1);
      throw new Error('the page is torn');
    };

    expect(await goesOn()).toBe(false);
    await delivered;
    expect(await failuresOf(server, 'diary')).toBe(0);
    expect(await goesOn()).toBe(false);
  });
});

describe('parked events', () => {
  it('are listed twenty on a page, the newest first, and dropped one by one', async () => {
    const parked = server.get(ParkedEvents);
    await server.get(DataSource).query(`insert into event_handler (name) values ('diary')`);
    await server.get(DataSource).query(
      `insert into parked_event (handler, position, event_id, name, payload, recorded_at, error, parked_at)
       select 'diary', n, gen_random_uuid(), 'kv.patched', '{}', now(), 'torn', now() + n * interval '1 second'
       from generate_series(1, 21) as n`,
    );
    const positionsOf = async (page: number) => (await parked.list(page)).items.map(({ position }) => position);

    expect(await positionsOf(1)).toEqual(upTo(21).reverse().slice(0, 20));
    expect(await parked.list(2)).toMatchObject({ items: [{ position: 1 }], total: 21, current: 2 });
    await parked.drop('diary', 20);
    await expect(parked.drop('positions', 19)).rejects.toMatchObject({ code: 'parked_event_not_found' });
    expect((await positionsOf(1)).slice(0, 3)).toEqual([21, 19, 18]);
  });
});

describe('old events', () => {
  const age = (positions: number[]) =>
    server
      .get(DataSource)
      .query(`update domain_event set recorded_at = now() - interval '40 days' where position = any($1::bigint[])`, [
        positions,
      ]);
  const kept = async () => (await server.get(EventLog).after(0, 100)).map(({ position }) => position);

  beforeEach(async () => {
    await recordEvents(server, upTo(6));
    await until(async () => (await cursorOf(server, 'diary')) === 6 && (await cursorOf(server, 'positions')) === 6);
  });

  it('stay where the clock of the database alone says that they are old', async () => {
    await age([1, 2, 3]);

    expect(await server.get(EventRetention).prune(new Date(Date.now() - 20 * DAY_MS))).toBe(0);
    expect(await kept()).toEqual(upTo(6));
  });

  it('are forgotten, and the stream says where it begins now', async () => {
    await age([1, 2, 3]);

    expect(await server.get(EventRetention).prune()).toBe(3);

    expect(await kept()).toEqual([4, 5, 6]);
    expect(await server.get(EventLog).bounds()).toEqual({ first: 4, last: 6 });
  });

  it('stay where a younger one comes before them, so that there is never a hole', async () => {
    await age([1, 3, 4]);

    expect(await server.get(EventRetention).prune()).toBe(1);

    expect(await kept()).toEqual([2, 3, 4, 5, 6]);
  });

  it('keep the newest of all, from which the next position is counted', async () => {
    await age(upTo(6));

    await server.get(EventRetention).prune();
    expect(await kept()).toEqual([6]);

    await recordEvents(server, [7]);
    await until(async () => (await kept()).at(-1) === 7);

    expect(await kept()).toEqual([6, 7]);
  });

  it('wait for a listener that has not had them', async () => {
    await server.get(DataSource).query(`update event_handler set position = 2 where name = 'positions'`);
    await age(upTo(6));

    await server.get(EventRetention).prune();

    expect(await kept()).toEqual([3, 4, 5, 6]);
  });

  it('are forgotten however many there are', async () => {
    await server
      .get(DataSource)
      .query(
        `insert into domain_event (name, payload, position) select 'proof.bound', '{}', 6 + n from generate_series(1, 5001) as n`,
      );
    await server.get(DataSource).query(`update event_handler set position = 5007`);
    await age(upTo(5007));

    expect(await server.get(EventRetention).prune()).toBe(5006);
    expect(await kept()).toEqual([5007]);
  });

  it('stay where the database is away, and are forgotten the next time', async () => {
    await age([1, 2, 3]);
    const dataSource = server.get(DataSource);
    await dataSource.query('alter table domain_event rename to gone');
    await server.get(EventRetention).tick();
    await dataSource.query('alter table gone rename to domain_event');
    expect(await kept()).toEqual(upTo(6));
    await server.get(EventRetention).tick();

    expect(await kept()).toEqual([4, 5, 6]);
  });

  it('are not forgotten before they have a position', async () => {
    await server.get(DataSource).transaction((manager) => recordIn(server, manager, 7));

    await server.get(DataSource).query(`update domain_event set recorded_at = now() - interval '40 days'`);

    await server.get(EventRetention).prune();
    await recordEvents(server, [8]);
    await until(async () => (await kept()).at(-1) === 8);

    expect(await kept()).toEqual([6, 7, 8]);
  });
});
