import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { SchedulerRegistry } from '@nestjs/schedule';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { Environment } from '../../src/config/environment.js';
import { EventWakeUp } from '../../src/events/event-wake-up.js';
import { EventLog, type StreamEvent } from '../../src/events/event-log.js';
import { EventRelay } from '../../src/events/event-relay.js';
import { EventStore } from '../../src/events/event-store.js';
import { EventStreamTail } from '../../src/event-stream/event-stream-tail.js';
import { EventStreamService } from '../../src/event-stream/event-stream.service.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { connectTo, writeEvents, writeInDisorder } from '../support/event-writer.js';
import { untilOnlyRefusedBy } from '../support/refused.js';
import { openSse, type SseOptions, type SseReader } from '../support/sse-client.js';
import { sized } from '../support/tier.js';
import { until } from '../support/until.js';

const random = new SeededRandom('event stream');
/** Events that readers see who connect again and again. */
const EVENTS = sized('STREAMED_EVENTS', { short: 1500, long: 10_000 });

const readers: SseReader[] = [];
let database: TestDatabase;
let client: pg.Client;
let apps: RunningApp[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  client = await connectTo(database.url);
});
afterEach(async () => {
  readers.splice(0).forEach((reader) => reader.close());
  await client.end();
  await Promise.all(apps.splice(0).map((app) => app.close()));
  await database.drop();
});

/** Servers over the one database of the test. */
async function startServers(count: number, env: Record<string, string> = {}): Promise<RunningApp[]> {
  apps = await Promise.all(Array.from({ length: count }, () => startApp({ databaseUrl: database.url, env })));
  return apps;
}

/** Leaves a server without its polls, so that it does only what it is woken for. */
function stopPolling({ app }: RunningApp): void {
  const registry = app.get(SchedulerRegistry);
  for (const name of registry.getIntervals()) registry.deleteInterval(name);
}

async function read(app: RunningApp, query = '', options: SseOptions = {}): Promise<SseReader> {
  const reader = await openSse(app.baseUrl, `/v1/events${query}`, options);
  readers.push(reader);
  return reader;
}

/** Waits until the relay has numbered `count` events. */
async function numbered(count: number): Promise<void> {
  await until(async () => {
    const { rows } = await client.query<{ newest: string | null }>('select max(position) as newest from domain_event');
    return Number(rows[0]!.newest) === count;
  });
}

const upTo = (newest: number, oldest = 1) => Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
const isReady = (reader: SseReader) => reader.messages.length > 0;

/** Reads to `newest`, and on the way breaks off and connects again, to whichever server, as chance has it. */
async function readWithBreaks(servers: RunningApp[], query: string, newest: number): Promise<SseReader['events']> {
  const seen: SseReader['events'] = [];
  let lastEventId = '0';
  while (Number(lastEventId) < newest) {
    const enough = 1 + random.below(1500);
    const server = random.pick(servers);
    const reader =
      random.below(2) === 0
        ? await read(server, `?after=0${query}`, { lastEventId })
        : await read(server, `?after=${lastEventId}${query}`);
    // A break where nothing more comes is a break too: the reader that has all but the end waits for the heartbeat.
    await reader.until(({ messages }) => messages.length > enough || Number(messages.at(-1)?.id) >= newest);
    reader.close();
    seen.push(...reader.events);
    lastEventId = reader.lastEventId;
  }
  return seen;
}

describe('readers of two servers', () => {
  it(`see all of ${EVENTS} events once and in order, however often they connect again`, async () => {
    const servers = await startServers(2, { EVENT_HEARTBEAT_SECONDS: '1' });

    // As requests do, which these writers are not.
    const waking = setInterval(() => random.pick(servers).app.get(EventRelay).wake(), 15).unref();
    const writing = writeInDisorder(database.url, EVENTS, random);
    const all = await Promise.all(Array.from({ length: 5 }, () => readWithBreaks(servers, '', EVENTS)));
    const some = await readWithBreaks(servers, '&platform=dns&types=kv.patched,proof.revoked', EVENTS);
    await writing;
    clearInterval(waking);

    const { rows } = await client.query<{ id: string; draw: string }>(
      'select id, draw from domain_event order by position',
    );
    for (const events of all) {
      expect(events.map(({ data }) => data.position as number)).toEqual(upTo(EVENTS));
      expect(events.map(({ data }) => data.id as string)).toEqual(rows.map(({ id }) => id));
    }
    const { rows: expected } = await client.query<{ id: string }>(
      `select id from domain_event where payload->>'platform' = 'dns' and name in ('kv.patched', 'proof.revoked') order by position`,
    );
    expect(some.map(({ data }) => data.id as string)).toEqual(expected.map(({ id }) => id));
    // Otherwise the events were in order from the start, and this test shows little.
    const draws = rows.map(({ draw }) => Number(draw));
    expect(draws.some((draw, index) => index > 0 && draw < draws[index - 1]!)).toBe(true);
  });

  it('miss nothing that a slow transaction commits after a faster one', async () => {
    const [one, two] = (await startServers(2)) as [RunningApp, RunningApp];
    const live = [await read(one), await read(two)];
    await Promise.all(live.map((reader) => reader.until(isReady)));
    const slow = await connectTo(database.url);

    await slow.query('begin');
    await writeEvents(slow, [{ identity: 'slow' }]);
    await writeEvents(client, [{ identity: 'fast' }]);
    await Promise.all(live.map((reader) => reader.until(({ events }) => events.length === 1)));
    const early = await read(two, '', { lastEventId: live[0]!.lastEventId });
    await early.until(isReady);
    await slow.query('commit');
    await Promise.all(live.map((reader) => reader.until(({ events }) => events.length === 2)));
    await early.until(({ events }) => events.length === 1);
    await slow.end();

    for (const reader of live) expect(reader.events.map(({ data }) => data.identity)).toEqual(['fast', 'slow']);
    expect(early.events.map(({ data }) => data.identity)).toEqual(['slow']);
  });

  it('hear of an event by a wake-up, without a poll, whichever server recorded it', async () => {
    const [one, two] = (await startServers(2)) as [RunningApp, RunningApp];
    [one, two].forEach(stopPolling);
    const live = [await read(one), await read(two)];
    await Promise.all(live.map((reader) => reader.until(isReady)));
    const store = one.app.get(EventStore);
    const payload = { avatar: '0x02', platform: 'ethereum', identity: 'x', link_id: 1, uuid: '', created_at: '0' };

    for (let count = 1; count <= 9; count += 1) {
      await store.transaction((manager) => store.record(manager, 'proof.revoked', payload));
      await Promise.all(live.map((reader) => reader.until(({ events }) => events.length === count)));
    }
  });

  it('get their events while no wake-up can reach a server, and get wake-ups again later', async () => {
    const wire = await openWire(database.url);
    const [one, two] = (await startServers(2, { DATABASE_DIRECT_URL: wire.url })) as [RunningApp, RunningApp];
    const live = [await read(one), await read(two)];
    await Promise.all(live.map((reader) => reader.until(isReady)));
    const listeners = async () =>
      (
        await client.query(
          `select 1 from pg_stat_activity where application_name = 'signet listen' and datname = current_database()`,
        )
      ).rowCount;
    await until(async () => (await listeners()) === 2);

    await wire.cut();
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await writeEvents(client, [{ identity: 'after the cut' }]);
    await Promise.all(live.map((reader) => reader.until(({ events }) => events.length === 1)));
    expect(await listeners()).toBe(0);
    await wire.mend();
    await until(async () => (await listeners()) === 2);
    const rings = [one, two].map(
      ({ app }) => new Promise<void>((ring) => app.get(EventWakeUp).streamGrew.subscribe(ring)),
    );
    await client.query(`select pg_notify('signet_events', '')`);
    await Promise.all(rings);

    for (const reader of live) expect(reader.events.map(({ data }) => data.identity)).toEqual(['after the cut']);
  });
});

describe('a reader after a long time without readers', () => {
  it('starts at the newest event, or goes on where it was, near or far', async () => {
    const [app] = (await startServers(1)) as [RunningApp];
    const first = await read(app);
    await first.until(isReady);
    first.close();
    await until(() => app.app.get(EventStreamService).openStreams === 0);
    await writeEvents(client, Array<object>(1500).fill({}));
    await numbered(1500);

    const now = await read(app);
    const near = await read(app, '?after=1300');
    const far = await read(app, '?after=7');
    const all = await read(app, '?after=0');
    await now.until(isReady);
    await Promise.all([near, far, all].map((reader) => reader.until(({ positions }) => positions.at(-1) === 1500)));

    expect(now.lastEventId).toBe('1500');
    expect(near.positions).toEqual(upTo(1500, 1301));
    expect(far.positions).toEqual(upTo(1500, 8));
    expect(all.positions).toEqual(upTo(1500));
  });

  it('never starts in the past, also when it comes while another one still waits for the database', async () => {
    const [app] = (await startServers(1)) as [RunningApp];
    await writeEvents(client, Array<object>(1500).fill({}));
    await numbered(1500);
    const log = new HaltingLog(app.app.get(DataSource));
    const tail = new EventStreamTail(log, app.app.get(Environment), app.app.get(EventWakeUp));
    const start = () => tail.follow().then(() => tail.position);

    const first = start();
    await log.isReading;
    const second = start();
    log.goOn();

    expect(await Promise.all([first, second])).toEqual([1500, 1500]);
  });
});

describe('a reader who filters', () => {
  it('gets what passes from all that is kept, and the rest never leaves the database', async () => {
    const rare = new Set([3, 4999, 5000, 5001, 5999]);
    await writeEvents(
      client,
      Array.from({ length: 6000 }, (_, index) => (rare.has(index + 1) ? { platform: 'dns' } : {})),
    );
    const [app] = (await startServers(1, { EVENT_HEARTBEAT_SECONDS: '1' })) as [RunningApp];
    await numbered(6000);
    const log = app.app.get(EventLog);
    const find = log.find.bind(log);
    let fetched = 0;
    let longest = 0;
    log.find = async (position, ...words) => {
      const stretch = await find(position, ...words);
      fetched += stretch.events.length;
      longest = Math.max(longest, stretch.last! - position);
      return stretch;
    };

    const reader = await read(app, '?after=0&platform=dns');
    await reader.until(() => reader.lastEventId === '6000');

    expect(reader.positions).toEqual([...rare]);
    // What lies in memory is filtered there.
    expect(fetched).toBeLessThanOrEqual(rare.size);
    // However few pass, no statement looks through more.
    expect(longest).toBe(5000);
  });

  it('gets as many as there are, where many pass and where none does', async () => {
    await writeEvents(
      client,
      Array.from({ length: 7000 }, (_, n) => ({ name: n % 2 ? 'kv.patched' : 'proof.bound' })),
    );
    const [app] = (await startServers(1, { EVENT_HEARTBEAT_SECONDS: '1' })) as [RunningApp];
    await numbered(7000);

    const half = await read(app, '?after=0&types=kv.patched');
    const none = await read(app, `?after=0&avatar=${anAvatar('nobody').key.compressed}`);
    await Promise.all([half, none].map((reader) => reader.until(() => reader.lastEventId === '7000')));

    expect(half.positions).toEqual(upTo(3500).map((n) => 2 * n));
    expect(none.positions).toEqual([]);
  });
});

describe('events that are no longer kept', () => {
  it('cannot be resumed from, and the answer says so', async () => {
    await writeEvents(client, Array<object>(1600).fill({}));
    const [app] = (await startServers(1)) as [RunningApp];
    await numbered(1600);
    await client.query('delete from domain_event where position <= 500');

    const pruned = await app.get('/v1/events', { 'Last-Event-ID': '300' });
    const edge = await read(app, '?after=500');
    const rest = await read(app, '?after=0');
    await Promise.all([edge, rest].map((reader) => reader.until(({ positions }) => positions.at(-1) === 1600)));

    expect(pruned).toMatchObject({ status: 400, body: { code: 'event_pruned' } });
    expect(pruned.body.message).toMatch(/^Events behind 300 are no longer kept; the oldest is 501\./);
    expect(edge.positions).toEqual(upTo(1600, 501));
    expect(rest.positions).toEqual(upTo(1600, 501));
  });

  it('end a stream that had not come to them yet, instead of leaving a gap', async () => {
    const [app] = (await startServers(1)) as [RunningApp];
    await writeEvents(client, Array<object>(6000).fill({ identity: 'x'.repeat(4000) }));
    await numbered(6000);
    const sockets = socketsOf(app);
    const reader = await read(app, '?after=0');
    reader.pause();
    await stalled(sockets);
    await client.query('delete from domain_event where position <= 5000');

    reader.resume();
    await reader.ended;
    const again = await app.get('/v1/events', { 'Last-Event-ID': reader.lastEventId });

    expect(reader.positions).toEqual(upTo(reader.positions.length));
    expect(reader.positions.length).toBeLessThan(5000);
    expect(again).toMatchObject({ status: 400, body: { code: 'event_pruned' } });
  });
});

describe('a reader that takes nothing', () => {
  it('is cut off, costs little memory until then, disturbs no other reader and loses nothing', async () => {
    const [app] = (await startServers(1, { EVENT_STREAM_STALL_SECONDS: '2' })) as [RunningApp];
    const sockets = socketsOf(app);
    const [slow, quick] = [await read(app), await read(app)];
    await Promise.all([slow, quick].map((reader) => reader.until(isReady)));
    slow.pause();
    let mostWaiting = 0;
    const watch = setInterval(() => {
      mostWaiting = Math.max(mostWaiting, ...[...sockets].map((socket) => socket.writableLength));
    }, 5).unref();

    for (let batch = 0; batch < 10; batch += 1) {
      await writeEvents(client, Array<object>(500).fill({ identity: 'x'.repeat(4000) }));
    }
    await quick.until(({ positions }) => positions.at(-1) === 5000);
    await until(() => app.app.get(EventStreamService).openStreams === 1);
    clearInterval(watch);
    slow.resume();
    await slow.ended;
    const again = await read(app, '', { lastEventId: slow.lastEventId });
    await again.until(({ positions }) => positions.at(-1) === 5000);

    expect(quick.positions).toEqual(upTo(5000));
    expect(slow.positions.length).toBeLessThan(5000);
    expect([...slow.positions, ...again.positions]).toEqual(upTo(5000));
    // The setting, and as much again for the last text that was written.
    expect(mostWaiting).toBeGreaterThan(64 * 1024);
    expect(mostWaiting).toBeLessThan(2 * 64 * 1024 + 8000);
  });
});

/** Reads events as ever, but the first page has to wait. */
class HaltingLog extends EventLog {
  goOn!: () => void;
  private halt!: () => void;
  readonly isReading = new Promise<void>((resolve) => (this.halt = resolve));
  private readonly mayGoOn = new Promise<void>((resolve) => (this.goOn = resolve));

  override async after(...page: Parameters<EventLog['after']>): Promise<StreamEvent[]> {
    this.halt();
    await this.mayGoOn;
    return super.after(...page);
  }
}

/** Another way to the database at `target`, which can be cut and mended. */
async function openWire(target: string) {
  const { hostname, port } = new URL(target);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const end of [near, far]) {
      ends.add(end);
      end.on('error', () => {});
      end.on('close', () => [near, far].forEach((one) => one.destroy()));
    }
    near.pipe(far).pipe(near);
  }).unref();
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const ownPort = (server.address() as AddressInfo).port;
  const url = new URL(target);
  url.host = `127.0.0.1:${ownPort}`;
  return {
    url: url.href,
    cut: async () => {
      ends.forEach((end) => end.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
    mend: () => listen(ownPort),
  };
}

/** The connections that clients open from now on. */
function socketsOf(app: RunningApp): Set<Socket> {
  const sockets = new Set<Socket>();
  const server = app.app.getHttpServer() as NodeJS.EventEmitter;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Waits until something waits on one of `sockets` and nothing more leaves it. */
async function stalled(sockets: Set<Socket>): Promise<void> {
  let before = -1;
  await until(() => {
    const stuck = [...sockets].find(({ writableLength }) => writableLength > 0);
    const isStill = stuck !== undefined && stuck.bytesWritten === before;
    before = stuck?.bytesWritten ?? -1;
    return isStill;
  });
}

describe('a client that replays much', () => {
  const LIMITS = { RATE_LIMIT: 'on', RATE_LIMIT_REPLAYS: '3', TRUST_PROXY: '1', EVENT_HEARTBEAT_SECONDS: '1' };
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

  it('waits where its address has read its share of a minute, stays open, and hears new events after that', async () => {
    await writeEvents(
      client,
      Array.from({ length: 2_500 }, () => ({})),
    );
    const [app] = (await startServers(1, LIMITS)) as [RunningApp];
    app.app.get(EventRelay).wake();
    await numbered(2_500);

    const greedy = await read(app, '?after=0', from('192.0.2.1'));
    await greedy.until(({ events }) => events.length === 300);
    const again = await read(app, '?after=0', from('192.0.2.1'));
    const other = await read(app, '?after=0', from('192.0.2.2'));
    await other.until(({ events }) => events.length === 300);
    const heartbeats = (reader: SseReader) => reader.messages.filter(({ event }) => event === 'heartbeat').length;
    await Promise.all([greedy, again].map((reader) => reader.until((one) => heartbeats(one) >= 2)));

    expect(greedy.positions).toEqual(upTo(300));
    expect(again.positions).toEqual([]);
    expect(other.positions).toEqual(upTo(300));
    await untilOnlyRefusedBy(app, 'replays');
  });

  it('reads what this server has in memory as often as it likes', async () => {
    const [app] = (await startServers(1, LIMITS)) as [RunningApp];
    const live = await read(app, '', from('192.0.2.1'));
    await live.until(isReady);
    await writeEvents(
      client,
      Array.from({ length: 900 }, () => ({})),
    );
    app.app.get(EventRelay).wake();
    await live.until(({ events }) => events.length === 900);

    for (let time = 0; time < 5; time += 1) {
      const reader = await read(app, '?after=1', from('192.0.2.1'));
      await reader.until(({ events }) => events.length === 899);
    }
  });
});
