import type { DataSource, EntityManager } from 'typeorm';
import type pg from 'pg';
import type { OpenDatabase } from '../database/database.js';
import { type MoveTarget, replaceMove } from '../database/schema/moved.js';
import type { SqlSource } from '../database/sql-source.js';
import { copyIn, copyOut } from './copy-stream.js';

/** One of the two databases. */
export interface MoveSide {
  source: DataSource;
  database: OpenDatabase;
}

export interface MovedTable {
  name: string;
  /** Columns that are stored, and not computed from others, separated by commas. */
  columns: string;
}

/** Bytes of a table, with its long values, that one transaction copies, about. */
const BATCH_BYTES = 4 << 20;

/** Values have one text in both databases, whatever their settings are. */
const ONE_TEXT = `select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, MDY', true),
  set_config('intervalstyle', 'postgres', true), set_config('extra_float_digits', '1', true),
  set_config('bytea_output', 'hex', true), set_config('idle_in_transaction_session_timeout', '0', true)`;

/** Two tables are made by the target itself: which migrations it has had, and settings, which are moved in the end. */
const TABLES = `
  select quote_ident(relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    and attgenerated = '' and relname not in ('migrations', 'deployment_setting')
  group by relname order by relname`;

/** Does `work` in a transaction in which both databases write values in one way. */
export async function inOneText<Result>(
  { source }: MoveSide,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return source.transaction(async (manager) => {
    await manager.query(ONE_TEXT);
    return work(manager);
  });
}

/** The tables that are moved, by name; none in a database without tables. */
export function tablesOf(source: SqlSource): Promise<MovedTable[]> {
  return source.query<MovedTable[]>(TABLES);
}

export function movedTables({ source }: MoveSide): Promise<MovedTable[]> {
  return tablesOf(source);
}

/**
 * Copies the missing rows of a table. Each transaction of the target copies some blocks of the source and notes the
 * progress. The source does not change meanwhile, because triggers refuse changes.
 * @param progress is called with the copied part, from 0 to 1
 */
export async function copyTable(
  from: MoveSide,
  to: MoveSide,
  { name, columns }: MovedTable,
  note: MoveTarget,
  progress: (part: number) => void,
): Promise<MoveTarget> {
  const [size] = await from.source.query<[{ file: string; blocks: number; bytes: number }]>(
    `select pg_relation_filenode($1::regclass)::text as file, pg_table_size($1::regclass)::float8 as bytes,
       (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as blocks`,
    [name],
  );
  const { file, blocks, bytes } = size;
  const step = Math.max(1, Math.floor((BATCH_BYTES * blocks) / Math.max(1, bytes)));
  for (;;) {
    const before = note.copied[name];
    const start = before?.file === file ? before.blocks : 0;
    if (before?.file === file && start >= blocks) return note;
    const end = Math.min(blocks, start + step);
    const range = `where ctid >= '(${start},0)' and ctid < '(${end},0)'`;
    const rows = await inOneText(from, async (manager) =>
      copyOut(await clientOf(manager), `select ${columns} from ${name} ${range}`),
    );
    const next = { ...note, copied: { ...note.copied, [name]: { file, blocks: end } } };
    const current = note;
    await inOneText(to, async (manager) => {
      // What migrations have put there, and what was copied from a table that has been written anew.
      if (start === 0) await manager.query(`truncate ${name}`);
      if (rows.length > 0) await copyIn(await clientOf(manager), to.database, `${name} (${columns})`, rows);
      await replaceMove(manager, current, next);
    });
    note = next;
    progress(blocks === 0 ? 1 : end / blocks);
  }
}

/** How many rows a table has, and a sum of their hashes: two tables of the same rows have the same, in any order. */
export async function sumOf(side: MoveSide, { name, columns }: MovedTable): Promise<{ rows: string; hash: string }> {
  return inOneText(side, async (manager) => {
    const [sum] = (await manager.query(
      `select count(*)::text as rows, coalesce(sum(('x' || left(md5(item::text), 15))::bit(60)::int8), 0)::text as hash
       from (select ${columns} from ${name}) as item`,
    )) as [{ rows: string; hash: string }];
    return sum;
  });
}

/** The connection of a transaction. */
async function clientOf(manager: EntityManager): Promise<pg.PoolClient> {
  return (await manager.queryRunner!.connect()) as pg.PoolClient;
}
