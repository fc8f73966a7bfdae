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
export async function tablesWith(url: string, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      // Bytes are shown as hex, so the text is looked for in both forms.
      const hex = Buffer.from(text).toString('hex');
      const sql = `select 1 from ${name} where ${name}::text like $1 or ${name}::text like $2 limit 1`;
      if ((await client.query(sql, [`%${text}%`, `%${hex}%`])).rows.length > 0) found.push(name);
    }
    return found.sort();
  } finally {
    await client.end();
  }
}

/** The tables that have a text once the table of searches, which follows bindings by itself, has followed. */
export async function tablesLeftWith(url: string, text: string): Promise<string[]> {
  let left: string[] = [];
  await until(async () => {
    left = await tablesWith(url, text);
    return !left.includes('proof_search');
  });
  return left;
}
