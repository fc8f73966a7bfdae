import pg from 'pg';
import { logCommand } from '../../src/transparency-log/log-command.js';
import { databaseSettings } from '../support/engines.js';

/** What the rows of the feeds are with the entries that the tree has. */
export const COUNTED = `update log_feed as feed set last_id = (
  select count(*) from log_leaf as leaf
  where leaf.kind = feed.kind or (feed.kind = 'erasure' and leaf.kind like 'erased%'))`;

/** Takes the log back to an earlier tree head, as a snapshot of the disk would be; the records stay. */
export function rollBackTo(size: number): string[] {
  return [
    `delete from log_leaf where leaf_index >= ${size}`,
    `delete from log_checkpoint where size > ${size}`,
    `update log_tile set hashes = substr(hashes, 1, 32 * ${size}) where level = 0`,
    `update log_state set size = ${size}, map_size = ${size}, map_index = ${size} - 1,
       map_top = (select map_top from log_checkpoint where size = ${size})`,
    'delete from map_tile where number > (select map_top from log_state)',
    `delete from map_past where since >= ${size}`,
    COUNTED,
  ];
}

/** Does what the owner of the database can do; constraints do not hold them. */
export async function tamper(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** `npm run log -- <words>` over the database at `url`. */
export async function runLogCommand(
  url: string,
  dataDir: string,
  words: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const settings = { ...databaseSettings(url), DATA_DIR: dataDir, ...env };
  const code = await logCommand(settings, words, (line) => lines.push(line));
  return { code, said: lines.join('\n') };
}

/** A link of another number that nobody signed, made of the first one. */
export function forgedLink(id: number): string {
  return `
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
    select ${id}, avatar, ${100 + id}, action, platform, '0x1', created_at, gen_random_uuid(), signature, signature_payload
    from chain_link where id = 1`;
}

const TABLES = [
  'chain_link',
  'kv_patch',
  'proof',
  'kv_entry',
  'erasure',
  'incomplete_entry',
  'log_state',
  'log_feed',
  'log_leaf',
  'log_tile',
  'log_checkpoint',
  'log_cosignature',
  'map_tile',
  'map_past',
];

/** Makes the row of the log look written where it is, and not copied; behind other statements of `tamper`. */
export const WRITTEN_HERE = ['set local session_replication_role = origin', 'update log_state set size = size'];

/** Keeps what the records and the log are now, beside them; `restore` brings it back, under a server that runs. */
export async function keepRecords(url: string): Promise<{ restore(): Promise<void> }> {
  await tamper(url, 'create schema kept', ...TABLES.map((table) => `create table kept.${table} as table ${table}`));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(column_name, ', ') as columns from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name = any($1) group by table_name`,
    [TABLES],
  );
  await client.end();
  const statements = rows.flatMap(({ name, columns }) => [
    `delete from ${name}`,
    `insert into ${name} (${columns}) overriding system value select ${columns} from kept.${name}`,
  ]);
  return { restore: () => tamper(url, ...statements, ...WRITTEN_HERE) };
}
