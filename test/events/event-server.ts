import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource, type EntityManager } from 'typeorm';
import { ConfigModule } from '../../src/config/config.module.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { EventLog } from '../../src/events/event-log.js';
import { EventStore } from '../../src/events/event-store.js';
import { EventsModule } from '../../src/events/events.module.js';
import { type Announced, OnDomainEvent } from '../../src/events/on-domain-event.js';
import { anAvatar } from '../support/avatar.js';
import type { OpenTestDatabase } from '../support/engines.js';
import { until } from '../support/until.js';

/** A listener that keeps what it hears in a table, as listeners do, and fails where a test wants it to. */
@Injectable()
export class Diary {
  /** Throws for an event that cannot be taken. */
  check: (event: Announced<'kv.patched'>) => void | Promise<void> = () => {};

  @OnDomainEvent('diary', ['kv.patched'])
  async hear(event: Announced<'kv.patched'>): Promise<void> {
    await event.manager.query('insert into diary (event_id, position) values ($1, $2)', [event.id, event.position]);
    await this.check(event);
  }
}

/** Hears the same events, and never fails. */
@Injectable()
export class PositionListener {
  readonly positions: number[] = [];

  @OnDomainEvent('positions', ['kv.patched'])
  async hear(event: Announced<'kv.patched'>): Promise<void> {
    this.positions.push(event.position);
  }
}

/** In the order in which it was written, which is not that of its pages, and with the transaction of each row. */
const DIARY = `
  create table if not exists diary (
    id bigint generated always as identity, event_id uuid, position bigint,
    written_in xid8 not null default pg_current_xact_id(), written_at timestamptz not null default clock_timestamp()
  )`;

/** The events module of one server with two listeners, without the ticks: it relays when something is recorded. */
export async function startEventServer({ database }: OpenTestDatabase, env = {}): Promise<TestingModule> {
  const server = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(loadEnvironment(env)), DatabaseModule.forRoot(database), EventsModule],
    providers: [Diary, PositionListener],
  }).compile();
  server.useLogger(false);
  await server.get(DataSource).query(DIARY);
  return server.init();
}

/** Adds an event to the transaction of `manager`. */
export async function recordIn(server: TestingModule, manager: EntityManager, patchId: number): Promise<void> {
  await server.get(EventStore).record(manager, 'kv.patched', {
    avatar: anAvatar().key.compressed,
    platform: 'github',
    identity: 'alice',
    patch_id: patchId,
    uuid: randomUUID(),
    created_at: 1_763_700_000,
  });
}

/** Records events in a transaction each, and waits until they have their positions. */
export async function recordEvents(server: TestingModule, patchIds: number[]): Promise<void> {
  const { last } = await server.get(EventLog).bounds();
  for (const id of patchIds) await server.get(EventStore).transaction((manager) => recordIn(server, manager, id));
  await until(async () => (await server.get(EventLog).bounds()).last >= last + patchIds.length);
}

/** Positions in the diary, in the order in which they were written. */
export async function diaryOf(server: TestingModule): Promise<number[]> {
  const rows: { position: string }[] = await server.get(DataSource).query('select position from diary order by id');
  return rows.map((row) => Number(row.position));
}

/** Position of the last event that the listener is done with. */
export async function cursorOf(server: TestingModule, handler: string): Promise<number> {
  const rows: { position: string }[] = await server
    .get(DataSource)
    .query('select position from event_handler where name = $1', [handler]);
  return Number(rows[0]?.position ?? 0);
}

/** Failed tries of the next event of a listener. */
export async function failuresOf(server: TestingModule, listener: string): Promise<number> {
  const rows: { failures: number }[] = await server
    .get(DataSource)
    .query('select failures from event_handler where name = $1', [listener]);
  return rows[0]?.failures ?? 0;
}
