import { setTimeout as delay } from 'node:timers/promises';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { EventLog } from '../../src/events/event-log.js';
import { EventRelay } from '../../src/events/event-relay.js';
import { EventStore } from '../../src/events/event-store.js';
import { EventWakeUp } from '../../src/events/event-wake-up.js';
import { anAvatar } from '../support/avatar.js';
import { ENGINES, type OpenTestDatabase, openTestDatabase } from '../support/engines.js';
import { connectTo } from '../support/event-writer.js';
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

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each(ENGINES)('recorded events on %s', (engine) => {
  let opened: OpenTestDatabase;
  let server: TestingModule;

  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    server = await startEventServer(opened);
  });

  afterAll(async () => {
    await server?.close();
    await opened?.drop();
  });

  it('get gapless positions in the order of their recording, and every listener hears them in order', async () => {
    await recordEvents(server, upTo(250));
    await until(async () => (await cursorOf(server, 'positions')) === 250 && (await cursorOf(server, 'diary')) === 250);

    const events = await server.get(EventLog).after(0, 1000);
    expect(events.map(({ position }) => position)).toEqual(upTo(250));
    expect(events.map(({ payload }) => (payload as { patch_id: number }).patch_id)).toEqual(upTo(250));
    expect(await diaryOf(server)).toEqual(upTo(250));
    expect(server.get(PositionListener).positions).toEqual(upTo(250));
  });

  it('are never announced if their transaction is rolled back', async () => {
    const { last } = await server.get(EventLog).bounds();
    const refused = server.get(EventStore).transaction(async (manager) => {
      await recordIn(server, manager, 1001);
      throw new Error('rolled back');
    });

    await expect(refused).rejects.toThrow('rolled back');
    await recordEvents(server, [1002]);

    expect(await server.get(EventLog).after(last, 10)).toMatchObject([
      { position: last + 1, payload: { patch_id: 1002 } },
    ]);
  });

  it('are found by what a reader asks for, with how far the search went', async () => {
    const log = server.get(EventLog);
    const { last } = await log.bounds();
    const avatar = anAvatar().key.compressed;
    const positionsOf = async (...query: Parameters<EventLog['find']>) => {
      const { events, ...ends } = await log.find(...query);
      return { positions: events.map(({ position }) => position), ...ends };
    };

    expect(await positionsOf(0, 3, {})).toEqual({ positions: [1, 2, 3], first: 1, last: 3 });
    expect(await positionsOf(last - 2, 3, {})).toEqual({ positions: [last - 1, last], first: last - 1, last });
    expect(await positionsOf(last, 3, {})).toEqual({ positions: [], first: null, last: null });
    for (const all of [{ avatar }, { platform: 'github' }, { types: ['kv.patched' as const] }]) {
      expect(await positionsOf(5, 2, all)).toEqual({ positions: [6, 7], first: 6, last: 7 });
    }
    // Nothing is let through, and yet the reader need not look there again.
    for (const none of [{ avatar: `${avatar}0` }, { platform: 'dns' }, { types: ['proof.bound' as const] }]) {
      expect(await positionsOf(5, 2, none)).toEqual({ positions: [], first: 6, last });
    }
  });

  it('are announced by the next server if theirs died after the commit', async () => {
    const { last } = await server.get(EventLog).bounds();
    await until(async () => (await cursorOf(server, 'diary')) === last);
    // Committed past the event store, so nothing has woken the relay.
    await server.get(DataSource).transaction((manager) => recordIn(server, manager, 1));

    server.get(EventRelay).wake();
    await until(async () => (await cursorOf(server, 'diary')) === last + 1);

    expect((await diaryOf(server)).at(-1)).toBe(last + 1);
  });
});

describe('two servers on one PostgreSQL', () => {
  let opened: OpenTestDatabase;
  let servers: TestingModule[];

  beforeEach(async () => {
    opened = await openTestDatabase('postgres');
    servers = [await startEventServer(opened), await startEventServer(opened)];
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await opened.drop();
  });

  it('give no position twice and leave none out, whatever transactions are slow', async () => {
    const seen: number[] = [];
    let isDone = false;
    const reader = (async () => {
      for (;;) {
        const isLast = isDone;
        const events = await servers[0]!.get(EventLog).after(seen.at(-1) ?? 0, 100);
        seen.push(...events.map(({ position }) => position));
        if (isLast && events.length === 0) return;
      }
    })();
    // Some hold their event for a while before the commit, so that later ones overtake them.
    const record = (id: number) =>
      servers[id % 2]!.get(EventStore).transaction(async (manager) => {
        await recordIn(servers[id % 2]!, manager, id);
        if (id % 5 === 0) await delay(20 + (id % 7) * 10);
      });

    await Promise.all(
      upTo(8).map(async (lane) => {
        for (let step = 0; step < 25; step += 1) await record(step * 8 + lane);
      }),
    );
    await until(async () => (await servers[0]!.get(EventLog).bounds()).last === 200);
    isDone = true;
    await reader;

    // A reader that followed the positions while all this went on has missed none.
    expect(seen).toEqual(upTo(200));
    const events = await servers[0]!.get(EventLog).after(0, 1000);
    const ids = events.map(({ payload }) => (payload as { patch_id: number }).patch_id);
    expect([...ids].sort((a, b) => a - b)).toEqual(upTo(200));
    expect(ids).not.toEqual(upTo(200));
  });

  it('let each listener hear an event on one of them, once', async () => {
    await Promise.all([recordEvents(servers[0]!, upTo(60)), recordEvents(servers[1]!, upTo(60))]);
    // As the ticks of a service do: a server that finds a listener busy leaves its events to the next look.
    const isAt = async (listener: string) => {
      for (const server of servers) server.get(EventRelay).wake();
      return (await cursorOf(servers[0]!, listener)) === 120;
    };
    await until(() => isAt('diary'));
    await until(() => isAt('positions'));

    expect(await diaryOf(servers[0]!)).toEqual(upTo(120));
    const heard = servers.flatMap((server) => server.get(PositionListener).positions);
    expect(heard.sort((a, b) => a - b)).toEqual(upTo(120));
  });

  it('hear of events on the other again after their connection for it was cut', async () => {
    let heard = 0;
    servers[1]!.get(EventWakeUp).streamGrew.subscribe(() => (heard += 1));
    const listening = async () => {
      const rows: { pid: number }[] = await servers[0]!.get(DataSource).query(
        `select pid from pg_stat_activity
         where datname = current_database() and application_name = 'signet listen' and query like 'listen %'`,
      );
      return rows.map(({ pid }) => pid);
    };
    await until(async () => (await listening()).length === 2);
    const before = await listening();

    await servers[0]!.get(DataSource).query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [before]);
    await until(async () => (await listening()).filter((pid) => !before.includes(pid)).length === 2);
    await until(() => heard > 0);
    const heardSoFar = heard;
    await recordEvents(servers[0]!, [1]);

    await until(() => heard > heardSoFar);
  });

  it('take over from each other when a listener fails on one', async () => {
    servers[0]!.get(Diary).check = () => {
      throw new Error('this server has no ink');
    };
    await servers[0]!.get(DataSource).transaction((manager) => recordIn(servers[0]!, manager, 1));

    servers[0]!.get(EventRelay).wake();
    await until(async () => (await failuresOf(servers[0]!, 'diary')) === 1);
    await until(async () => {
      servers[1]!.get(EventRelay).wake();
      return (await cursorOf(servers[1]!, 'diary')) === 1;
    });

    expect(await diaryOf(servers[1]!)).toEqual([1]);
  });
});

describe('numbering by two servers at the same moment', () => {
  it('waits for the server that numbers, and counts on from what that one commits', async () => {
    const opened = await openTestDatabase('postgres');
    const server = await startEventServer(opened);
    const other = await connectTo(opened.database.url);
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.relay]);
      await other.query(`insert into domain_event (name, payload, position) values ('kv.patched', '{}', 1)`);

      const recorded = recordEvents(server, [2]);
      await until(async () => {
        const { rows } = await other.query('select from pg_locks where locktype = $1 and not granted', ['advisory']);
        return rows.length === 1;
      });
      await other.query('commit');
      await recorded;
      // `recordEvents` is content with the position that the other connection has written.
      await until(async () => (await server.get(EventLog).bounds()).last === 2);

      const events = await server.get(EventLog).after(0, 10);
      expect(events.map(({ position }) => position)).toEqual([1, 2]);
    } finally {
      await other.end();
      await server.close();
      await opened.drop();
    }
  });
});
