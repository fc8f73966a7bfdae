import type pg from 'pg';

/** Rows of one round; the largest rows are some hundred KiB. */
const ROWS = 50;

interface Column {
  name: string;
  type: string;
}

interface Table {
  name: string;
  columns: Column[];
}

/**
 * Copies the rows of all tables from one database to another that has the same schema, as `pg_restore` does. Values
 * travel as text, in which PostgreSQL writes and reads each type without loss.
 */
export async function copyTables(from: pg.Client, to: pg.Client): Promise<void> {
  const tables = await tablesOf(from);
  // Neither triggers nor references: the rows are those of a database in which they held.
  await to.query('set session_replication_role = replica');
  await to.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  for (const table of tables) await copyTable(from, to, table);
  await setSequences(from, to);
  await to.query('set session_replication_role = default');
}

/** Columns that PostgreSQL computes are left out. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select quote_ident(relname) as name, json_agg(
      json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod)) order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and attgenerated = ''
    group by relname order by relname`);
  return rows;
}

async function copyTable(from: pg.Client, to: pg.Client, { name, columns }: Table): Promise<void> {
  const names = columns.map((column) => column.name).join(', ');
  const texts = columns.map((column) => `${column.name}::text as ${column.name}`).join(', ');
  const values = columns.map(
    (column) =>
      `(item ->> ${column.name.startsWith('"') ? `'${column.name.slice(1, -1)}'` : `'${column.name}'`})::${column.type}`,
  );
  const insert = `insert into ${name} (${names}) overriding system value select ${values.join(', ')} from json_array_elements($1::json) as item`;
  await from.query('begin');
  await from.query(`declare rows_of_table no scroll cursor for select ${texts} from ${name}`);
  for (;;) {
    const { rows } = await from.query<Record<string, string | null>>(`fetch ${ROWS} from rows_of_table`);
    if (rows.length === 0) break;
    await to.query(insert, [JSON.stringify(rows)]);
  }
  await from.query('commit');
}

/** The next numbers of identity columns. */
async function setSequences(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string; value: string | null }>(
    `select quote_ident(sequencename) as name, last_value as value from pg_sequences where schemaname = current_schema()`,
  );
  for (const { name, value } of rows) if (value !== null) await to.query('select setval($1, $2)', [name, value]);
}
