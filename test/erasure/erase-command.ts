import pg from 'pg';
import { verifyCommand } from '../../src/audit/verify-command.js';
import { eraseCommand } from '../../src/erasure/erase-command.js';
import { databaseSettings } from '../support/engines.js';
import { until } from '../support/until.js';

/** What a command says, and how it ends. */
export interface Said {
  code: number;
  said: string;
}

type Command = (
  variables: Record<string, string | undefined>,
  words: string[],
  say: (line: string) => void,
) => Promise<number>;

async function run(command: Command, url: string, words: string[], env: Record<string, string> = {}): Promise<Said> {
  const lines: string[] = [];
  const code = await command({ ...databaseSettings(url), ...env }, words, (line) => lines.push(line));
  return { code, said: lines.join('\n') };
}

/** `npm run log -- erase <words>` over the database at `url`. */
export const runErase = (url: string, words: string[], env?: Record<string, string>): Promise<Said> =>
  run(eraseCommand, url, ['erase', ...words], env);

/** `npm run verify` over the database at `url`. */
export const runVerify = (url: string): Promise<Said> => run(verifyCommand, url, []);

/** The tables that hold a text anywhere, in whatever column. */
export function tablesWith(url: string, text: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    return tablesHolding(
      client,
      text,
      rows.map(({ name }) => name),
    );
  });
}

/** The tables that have a text once the table of searches, which follows bindings by itself, has followed. */
export async function tablesLeftWith(url: string, text: string): Promise<string[]> {
  await untilTable(url, 'proof_search', text, false);
  return tablesWith(url, text);
}

/** Waits until a table holds a text, or no longer does. */
export function untilTable(url: string, table: string, text: string, holds: boolean): Promise<void> {
  return withClient(url, (client) =>
    until(async () => (await tablesHolding(client, text, [table])).length > 0 === holds),
  );
}

/** Those of these tables that hold a text anywhere. */
async function tablesHolding(client: pg.Client, text: string, tables: string[]): Promise<string[]> {
  // Bytes are shown as hex, so the text is looked for in both forms.
  const hex = Buffer.from(text).toString('hex');
  const selects = tables.map(
    (name) => `
      select '${name}' as name where exists (select from ${name} where ${name}::text like $1 or ${name}::text like $2)`,
  );
  const { rows } = await client.query<{ name: string }>(selects.join(' union all '), [`%${text}%`, `%${hex}%`]);
  return rows.map(({ name }) => name).sort();
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
}
