import { randomBytes } from 'node:crypto';
import { unixSecondsSql } from '../database/time-sql.js';
import { StoredJson } from './stored-json.js';

/** Stands around a text that is not escaped yet. Random and never sent, so no text of a client holds it. */
const MARK = randomBytes(9).toString('base64url');

/** What the database writes of a column: a text with `%s` for the values of these SQL expressions. */
interface Piece {
  text: string;
  values: string[];
}

const bare = (name: string, sql: string): Piece => ({ text: `"${name}":%s`, values: [sql] });
const quoted = (name: string, sql: string): Piece => ({ text: `"${name}":"%s"`, values: [sql] });
/** With the comma in front of it, or left out. */
const ifAny = (sql: string): Piece => ({ text: '%s', values: [sql] });

/** How a column stands in JSON, under its own name. */
const FORMS = {
  /** Escaped by this process, which is faster at it than the database. */
  text: (name: string, column: string): Piece => ({ text: `"${name}":${MARK}%s${MARK}`, values: [column] }),
  /** A string that needs no escapes, such as hex, Base64, a uuid or a name of our own. */
  plain: quoted,
  plain_or_null: (name: string, column: string) => bare(name, `coalesce('"' || ${column} || '"', 'null')`),
  /** JSON, stored as text or as such, or a number. */
  json: bare,
  /** UNIX seconds of a time, as a number and as text. */
  seconds: (name: string, column: string) => bare(name, unixSecondsSql(column)),
  seconds_text: (name: string, column: string) => quoted(name, unixSecondsSql(column)),
  /** Left out where they are null; neither can be the first member. */
  plain_if_any: (name: string, column: string) => ifAny(`coalesce(',"${name}":"' || ${column} || '"', '')`),
  json_if_any: (name: string, column: string) => ifAny(`coalesce(',"${name}":' || ${column}::text, '')`),
} satisfies Record<string, (name: string, column: string) => Piece>;

/** The members of a record as they are answered, in their order, by the names of their columns. */
export type RecordMembers = Record<string, keyof typeof FORMS>;

/**
 * SQL expression: a row of `record` as the text of a JSON object, for `recordList`. The database writes whole pages as
 * one text: a text for each record would take this process twice as long to read, and leave it with garbage.
 * @param id SQL expression of a number that stands first, as `id`; absent: none
 */
export function recordJsonSql(members: RecordMembers, id?: string): string {
  const pieces = Object.entries(members).map(([name, form]) => FORMS[form](name, `record.${name}`));
  if (id !== undefined) pieces.unshift(bare('id', id));
  const text = pieces
    .map((piece) => piece.text)
    .join(',')
    .replaceAll(',%s', '%s');
  return `format('{${text}}', ${pieces.flatMap(({ values }) => values).join(', ')})`;
}

/** The list of records that the database wrote. @param records with commas between them; null where there are none */
export function recordList(records: string | null): StoredJson {
  const parts = (records ?? '').split(MARK);
  for (let index = 1; index < parts.length; index += 2) parts[index] = JSON.stringify(parts[index]);
  return new StoredJson(`[${parts.join('')}]`);
}
