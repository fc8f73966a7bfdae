import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Work that waits in the database, and sizes. Numbers that would be expensive to count end at `MAX_COUNTED`. */
export interface Backlog {
  /** Events that are committed and have no position in the stream yet. */
  unnumberedEvents: number;
  /** Events that a listener has not had, by listener. */
  handlerLag: Record<string, number>;
  /** Tries of the next event that failed, by listener. */
  handlerFailures: Record<string, number>;
  parkedEvents: number;
  newestEvent: number;
  newestLink: number;
  /** Rechecks whose time has come, by platform. */
  dueProofs: Record<string, number>;
  /** Seconds by which the longest overdue recheck is late, by platform. */
  oldestDueSeconds: Record<string, number>;
  /** Rows as PostgreSQL estimates them, and bytes with indexes, by table. */
  tables: Record<string, { rows: number; bytes: number }>;
}

/** A backlog beyond this is an emergency at any exact size. */
export const MAX_COUNTED = 10_000;

const TABLES = [
  'chain_link',
  'proof',
  'proof_check',
  'kv_patch',
  'kv_entry',
  'domain_event',
  'webhook_delivery',
  'log_leaf',
  'map_tile',
];

/**
 * Every part reads the end of an index, a partial index that holds the backlog alone, a small table, or a count that
 * stops.
 */
const EVENTS = `
  select (select count(*) from (select from domain_event where position is null limit ${MAX_COUNTED}) as waiting)::int as unnumbered,
    (select count(*) from (select from parked_event limit ${MAX_COUNTED}) as parked)::int as parked,
    (select coalesce(max(position), 0) from domain_event) as newest,
    (select coalesce(max(id), 0) from chain_link) as links`;
const HANDLERS = 'select name, position, failures from event_handler';
const DUE = `
  select name as platform, extract(epoch from now() - due.oldest)::float8 as seconds,
    (select count(*) from (select from proof where platform = name and next_check_at <= now() limit ${MAX_COUNTED}) as p)::int as count
  from unnest($1::text[]) as name
  cross join lateral (select min(next_check_at) as oldest from proof where platform = name and next_check_at is not null) as due`;
const SIZES = `
  select relname as name, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid) as bytes
  from pg_class where oid = any($1::regclass[])`;

/** Reads backlogs for the metrics, from tables of other modules, which it never changes. */
@Injectable()
export class BacklogQueries {
  constructor(private readonly dataSource: DataSource) {}

  /** One statement after the other, on one connection at a time. */
  async read(platforms: string[]): Promise<Backlog> {
    const events = await this.rows<{ unnumbered: number; parked: number; newest: number; links: number }>(EVENTS);
    const handlers = await this.rows<{ name: string; position: number; failures: number }>(HANDLERS);
    const due = await this.rows<{ platform: string; count: number; seconds: number | null }>(DUE, [platforms]);
    const tables = await this.rows<{ name: string; rows: number; bytes: number }>(SIZES, [TABLES]);
    const { unnumbered, parked, newest, links } = events[0]!;
    return {
      unnumberedEvents: unnumbered,
      parkedEvents: parked,
      newestEvent: newest,
      newestLink: links,
      handlerLag: record(handlers, ({ name, position }) => [name, Math.max(0, newest - position)]),
      handlerFailures: record(handlers, ({ name, failures }) => [name, failures]),
      dueProofs: record(due, ({ platform, count }) => [platform, count]),
      oldestDueSeconds: record(due, ({ platform, seconds }) => [platform, Math.max(0, seconds ?? 0)]),
      tables: record(tables, ({ name, rows, bytes }) => [name, { rows, bytes }]),
    };
  }

  private async rows<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.dataSource.query(sql, parameters);
  }
}

function record<Row, Value>(rows: Row[], entryOf: (row: Row) => [string, Value]): Record<string, Value> {
  return Object.fromEntries(rows.map(entryOf));
}
