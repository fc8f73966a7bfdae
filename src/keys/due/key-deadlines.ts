import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockKvChainsSql } from '../../database/advisory-locks.js';
import { EventStore, NEW_EVENTS, recordEventsSql } from '../../events/event-store.js';
import { HOLDS_TABLE } from '../../holds/avatar-holds.js';
import { JobQueues } from '../../jobs/job-queues.js';
import type { Leased, WorkTable } from '../../jobs/work-table.js';
import { type AnnouncedKeyEvent, type Announcement, newsOfDue } from './key-news.js';
import { KEY_COLUMNS, KEYS_TABLE, readKeyFacts } from '../key-rows.js';

/** The table of key events that are still to take effect, or to end. */
export const DEADLINES_TABLE = 'key_deadline';

/** A server works on a deadline for two reads and a write. */
const LEASE_MS = 30_000;
const AT_ONCE = 4;

const WORK: WorkTable = { queue: 'key', table: DEADLINES_TABLE, dueAt: 'due_at', leaseMs: LEASE_MS, mostMs: null };

/** A key event whose time has come. */
export type DueKeyEvent = AnnouncedKeyEvent & { id: number };
const DUE_COLUMNS = KEY_COLUMNS.pick('id', 'avatar', 'uuid', 'action', 'signer', 'successor', 'fields', 'dueAt');

const DUE = `
  select ${DUE_COLUMNS.selectedFrom('event')} from ${DEADLINES_TABLE} deadline join ${KEYS_TABLE} event using (id)
  where deadline.avatar = $1 and deadline.due_at <= $2 order by deadline.due_at, id`;

/** Announces and takes out what was due. Parameters: ids, events, the Avatar, and the time to which it is settled. */
const SETTLE = `
  with done as (delete from ${DEADLINES_TABLE} where id = any($1::bigint[])),
  settled as (
    update ${HOLDS_TABLE} set settled_until = greatest(settled_until, $4::timestamptz) where avatar = $3
  ),
  event as (select * from ${NEW_EVENTS.rowsOf('$2')})
  ${recordEventsSql('event')}`;

/** The key events of an Avatar that were due until `at`, in order. Under the lock of its patches. */
export function readDueKeyEvents(manager: EntityManager, avatar: string, at: Date): Promise<DueKeyEvent[]> {
  return manager.query(DUE, [avatar, at]);
}

/** The value of a parameter for rows of `NEW_EVENTS`, in the order of the list. */
export function eventsJson(news: Announcement[]): string {
  return NEW_EVENTS.json(news.map((event, id) => ({ ...event, id })));
}

/**
 * Announces what key events do when they are due: commits and successions that take effect, freezes that end. No state
 * changes by it, because that is a function of the events and the time. Each deadline is one row, taken out in the
 * transaction of its announcement, under the lock that every new key event of the Avatar takes: what was in time is
 * seen, and nothing that comes later is in time.
 */
@Injectable()
export class KeyDeadlines implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly jobs: JobQueues,
    private readonly events: EventStore,
  ) {}

  onModuleInit(): void {
    this.jobs.register(WORK, { concurrency: AT_ONCE, run: (leased) => this.announce(leased) });
  }

  /** Announces all that is due of the Avatar of one deadline, in order. */
  private async announce({ id }: Leased): Promise<void> {
    const sql = `select avatar from ${DEADLINES_TABLE} where id = $1`;
    const [row]: { avatar: string }[] = await this.source.query(sql, [id]);
    if (row) await this.announceOf(row.avatar);
  }

  private async announceOf(avatar: string): Promise<void> {
    await this.events.transaction(
      async (manager) => {
        const [{ now }] = (await manager.query('select clock_timestamp() as now')) as [{ now: Date }];
        const due = await readDueKeyEvents(manager, avatar, now);
        const last = due.at(-1);
        if (!last) return;
        const news = newsOfDue(due, await readKeyFacts(manager, avatar));
        await manager.query(SETTLE, [due.map((event) => event.id), eventsJson(news), avatar, last.dueAt]);
      },
      { lockSql: lockKvChainsSql([avatar]) },
    );
  }
}
