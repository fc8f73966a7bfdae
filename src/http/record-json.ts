import { unixSecondsSql } from '../database/time-sql.js';

/** A run of members that the database writes, or a text that this process escapes. */
type Piece = string | { sql: string } | { text: string };

/** A string that needs no escapes, such as hex, Base64, a uuid or a name of our own. */
const quoted = (name: string, column: string): Piece[] => [`"${name}":"`, { sql: `${column}::text` }, '"'];
const bare = (name: string, sql: string): Piece[] => [`"${name}":`, { sql }];

/** How a column stands in JSON, under its own name. */
const FORMS = {
  text: (name: string, column: string): Piece[] => [`"${name}":`, { text: column }],
  plain: quoted,
  plain_or_null: (name: string, column: string) => bare(name, `coalesce('"' || ${column} || '"', 'null')`),
  /** JSON, stored as text or as such, or a number. */
  json: (name: string, column: string) => bare(name, `${column}::text`),
  /** UNIX seconds of a time, as a number and as text. */
  seconds: (name: string, column: string) => bare(name, unixSecondsSql(column)),
  seconds_text: (name: string, column: string) => quoted(name, unixSecondsSql(column)),
  /** Left out where they are null; neither can be the first member. */
  plain_if_any: (name: string, column: string) => [{ sql: `coalesce(',"${name}":"' || ${column} || '"', '')` }],
  json_if_any: (name: string, column: string) => [{ sql: `coalesce(',"${name}":' || ${column}::text, '')` }],
};

type Form = keyof typeof FORMS;

/** A row that `RecordJson` selects: its columns `part0`, `part1` and so on. */
export type JsonRow = Record<`part${number}`, string | null>;

/** What follows in the JSON: this text, or a column of the row, as it is or as a JSON string. */
type Part = string | { name: `part${number}`; sql: string; isText: boolean };

/**
 * The members of a record as they are answered. The database joins all that needs no escapes, which it does faster than
 * this process, and this process escapes the texts, which it does faster than the database. So a page of a hundred
 * records is made without an object, a parsed time and fifteen texts for each.
 */
export class RecordJson {
  private readonly parts: Part[] = [];

  /** @param members in their order, by the names of their columns */
  constructor(members: Record<string, Form>) {
    const pieces = Object.entries(members).flatMap(([name, form], index) => {
      const separator = index === 0 || form.endsWith('_if_any') ? [] : [','];
      return [...separator, ...FORMS[form](name, `record.${name}`)];
    });
    let joined: Exclude<Piece, { text: string }>[] = [];
    for (const piece of pieces) {
      if (typeof piece === 'string' || 'sql' in piece) joined.push(piece);
      else {
        this.addJoined(joined);
        joined = [];
        this.addColumn(piece.text, true);
      }
    }
    this.addJoined(joined);
  }

  /** SQL: the columns of a `JsonRow` of `record`. @param condition an SQL condition, without which all are null */
  selected(condition?: string): string {
    const within = (sql: string) => (condition === undefined ? sql : `case when ${condition} then ${sql} end`);
    return this.parts
      .flatMap((part) => (typeof part === 'string' ? [] : `${within(part.sql)} as ${part.name}`))
      .join(', ');
  }

  /** The members of a row, without the braces around them. */
  membersOf(row: JsonRow): string {
    let json = '';
    for (const part of this.parts) {
      if (typeof part === 'string') json += part;
      else json += part.isText ? JSON.stringify(row[part.name]) : row[part.name]!;
    }
    return json;
  }

  private addJoined(pieces: Exclude<Piece, { text: string }>[]): void {
    if (pieces.every((piece) => typeof piece === 'string')) {
      if (pieces.length > 0) this.parts.push(pieces.join(''));
      return;
    }
    const terms = pieces.map((piece) => (typeof piece === 'string' ? `'${piece}'` : piece.sql));
    // Literals that meet are one text, so that the database joins fewer.
    this.addColumn(terms.join(' || ').replaceAll("' || '", ''), false);
  }

  private addColumn(sql: string, isText: boolean): void {
    this.parts.push({ name: `part${this.parts.length}`, sql, isText });
  }
}
