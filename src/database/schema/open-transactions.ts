import type { SqlSource } from '../sql-source.js';

const SHOWN = 3;

/**
 * One sentence about the transactions of this database that have been open for longest, which are those that others
 * wait for as a rule. It holds no statements, because these may hold private data.
 */
export async function longestTransactions(source: SqlSource): Promise<string> {
  const rows = (await source.query(
    `select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::int as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit ${SHOWN}`,
  )) as { pid: number; name: string; seconds: number }[];
  if (rows.length === 0) return 'No open transaction of another session can be seen.';
  const sessions = rows.map(({ pid, name, seconds }) => `process ${pid}${name && ` (${name})`} for ${seconds} s`);
  return `Transactions that are open for longest: ${sessions.join(', ')}.`;
}
