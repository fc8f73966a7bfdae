import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { EventRelay } from '../../src/events/event-relay.js';
import { DEFAULT_ENGINE, type OpenTestDatabase, openTestDatabase } from '../support/engines.js';
import { connectTo } from '../support/event-writer.js';
import { until } from '../support/until.js';
import { cursorOf, diaryOf, startEventServer } from './event-server.js';

let opened: OpenTestDatabase;
let server: TestingModule;
let relay: EventRelay;

beforeEach(async () => {
  opened = await openTestDatabase(DEFAULT_ENGINE);
  server = await startEventServer(opened);
  relay = server.get(EventRelay);
});
afterEach(async () => {
  await server?.close();
  await opened?.drop();
});

/** Adds committed events without a position, of which the relay hears nothing. */
const addUnnumbered = (count: number) =>
  server
    .get(DataSource)
    .query(`insert into domain_event (name, payload) select 'kv.patched', '{}' from generate_series(1, $1::int)`, [
      count,
    ]);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function numbered(): Promise<number> {
  const [row] = (await server.get(DataSource).query('select count(position) as count from domain_event')) as [
    { count: string },
  ];
  return Number(row.count);
}

describe('a pass of the relay', () => {
  it('goes on until all events have their positions and all listeners have had theirs', async () => {
    await addUnnumbered(2001);
    relay.wake();

    await until(
      async () => (await cursorOf(server, 'positions')) === 2001 && (await cursorOf(server, 'diary')) === 2001,
    );
    expect(await diaryOf(server)).toEqual(upTo(2001));
  });

  it('goes once more behind a batch that was full', async () => {
    await addUnnumbered(1000);
    await server.get(DataSource).query(`
      create function add_one() returns trigger language plpgsql as $$
      begin insert into domain_event (name, payload) values ('kv.patched', '{}'); return null; end $$;
      create trigger add_one after update on domain_event for each row when (new.position = 1000)
      execute function add_one()`);
    relay.wake();

    await until(async () => (await cursorOf(server, 'diary')) === 1001);
  });

  it('serves the listeners for all that comes within a moment, and the last of it too', async () => {
    const passes = (): Promise<{ begun: Date }[]> =>
      server.get(DataSource).query('select min(written_at) as begun from diary group by written_in order by min(id)');
    let added = 0;
    await until(async () => {
      await addUnnumbered(1);
      added += 1;
      relay.wake();
      return (await passes()).length >= 5;
    });
    await until(async () => (await cursorOf(server, 'diary')) === added);

    // Four times 200 milliseconds, less what the first pass took until it wrote.
    const [first, , , , fifth] = await passes();
    expect(fifth!.begun.getTime() - first!.begun.getTime()).toBeGreaterThan(600);
    expect(await diaryOf(server)).toEqual(upTo(added));
  });

  it('serves the listeners behind each batch, however many events wait', async () => {
    const other = await connectTo(opened.database.url);
    await other.query('select pg_advisory_lock(4711)');
    await server.get(DataSource).query(`
      create function wait_at_second_batch() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$;
      create trigger wait_at_second_batch before update on domain_event for each row when (new.position = 1001)
      execute function wait_at_second_batch()`);
    await addUnnumbered(3000);
    relay.wake();

    await until(async () => (await cursorOf(server, 'diary')) > 0);
    expect(await numbered()).toBe(1000);
    await other.end();
    await until(async () => {
      relay.wake();
      return (await cursorOf(server, 'diary')) === 3000;
    });
  });

  /** Takes the table of events away; answers with the warnings that come. */
  async function breakEvents(): Promise<unknown[]> {
    await server.get(DataSource).query('alter table domain_event rename to gone');
    const warnings: unknown[] = [];
    server.useLogger({ log: () => {}, error: () => {}, warn: (text: unknown) => warnings.push(text) });
    return warnings;
  }

  it('says once that the database is in trouble', async () => {
    const warnings = await breakEvents();
    relay.wake();
    await until(() => warnings.length > 0);

    await relay.onApplicationShutdown();
    expect(warnings).toHaveLength(1);
  });

  it('ends where the database is in trouble, and the next one begins anew', async () => {
    await addUnnumbered(1);
    const dataSource = server.get(DataSource);
    const warnings = await breakEvents();
    relay.wake();
    await until(() => warnings.length > 0);
    await dataSource.query('alter table gone rename to domain_event');
    expect(await numbered()).toBe(0);

    relay.wake();
    await until(async () => (await cursorOf(server, 'diary')) === 1);
  });

  it('ends at the transaction under way when the service stops, which waits for it', async () => {
    await addUnnumbered(5000);
    relay.wake();
    await relay.onApplicationShutdown();
    expect(await numbered()).toBe(1000);

    relay.wake();
    await relay.onApplicationShutdown();
    expect(await numbered()).toBe(1000);
  });
});
