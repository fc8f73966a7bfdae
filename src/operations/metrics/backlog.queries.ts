import type { DataSource } from 'typeorm';

export type Sample = [labels: Record<string, string>, value: number];
/** What a gauge shows: a number, one for each set of its labels, or nothing at all. */
export type Reading = number | Sample[] | null;

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
    (select coalesce(max(position), 0) from domain_event) as events,
    (select coalesce(max(id), 0) from chain_link) as links`;
const HANDLERS = 'select name as handler, position, failures from event_handler';
const DUE = `
  select name as platform, extract(epoch from now() - due.oldest)::float8 as seconds,
    (select count(*) from (select from proof where platform = name and next_check_at <= now() limit ${MAX_COUNTED}) as p)::int as count
  from unnest($1::text[]) as name
  cross join lateral (select min(next_check_at) as oldest from proof where platform = name and next_check_at is not null) as due`;
const SIZES = `
  select relname as table, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid) as bytes
  from pg_class where oid = any($1::regclass[])`;

/**
 * Reads work that waits in the database, and sizes, for the gauges of `BacklogMetrics`, from tables of other modules.
 * One statement after the other, on one connection at a time.
 */
export async function readBacklog(dataSource: DataSource, platforms: string[]) {
  const rows = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> => dataSource.query(sql, parameters);
  type Counts = Record<'unnumbered' | 'parked' | 'events' | 'links', number>;
  const [counts] = (await rows<Counts>(EVENTS)) as [Counts];
  const handlers = await rows<{ handler: string; position: number; failures: number }>(HANDLERS);
  const due = await rows<{ platform: string; count: number; seconds: number | null }>(DUE, [platforms]);
  const tables = await rows<{ table: string; rows: number; bytes: number }>(SIZES, [TABLES]);
  return {
    ...counts,
    lag: handlers.map(({ handler, position }) => [{ handler }, Math.max(0, counts.events - position)]),
    failures: handlers.map(({ handler, failures }) => [{ handler }, failures]),
    due: due.map(({ platform, count }) => [{ platform }, count]),
    overdue: due.map(({ platform, seconds }) => [{ platform }, Math.max(0, seconds ?? 0)]),
    rows: tables.map(({ table, rows: count }) => [{ table }, count]),
    bytes: tables.map(({ table, bytes }) => [{ table }, bytes]),
  } satisfies Record<string, Reading>;
}
