import pg from 'pg';
import { logCommand } from '../../src/transparency-log/log-command.js';
import { databaseSettings } from './engines.js';

/**
 * Says that the log of LOG_KEY is new, as docs/log.md asks an operator to, unless the database has a log.
 * @param env the settings of the server
 */
export async function beginLog(url: string, env: Record<string, string>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if ((await client.query('select from log_state')).rowCount) return;
  } finally {
    await client.end();
  }
  const said: string[] = [];
  const code = await logCommand({ ...env, ...databaseSettings(url) }, ['new-origin', 'a test'], (line) =>
    said.push(line),
  );
  if (code !== 0) throw new Error(said.join('\n'));
}
