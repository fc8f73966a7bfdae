import type pg from 'pg';
import { ADVISORY_LOCKS, KV_CHAIN_LOCKS } from '../../src/database/advisory-locks.js';
import type { TestAvatar } from './avatar.js';
import { until } from './until.js';

/** An advisory lock: its number, or the number of its kind and the text whose hash is the second one. */
export type Lock = number | readonly [number, string];

/** The locks that whoever writes takes: those of all links, of all events, of all patches, and of those of `writer`. */
export function locksOfWriters(writer: TestAvatar): Lock[] {
  const { append, relay, patchNumbers } = ADVISORY_LOCKS;
  return [append, relay, patchNumbers, [KV_CHAIN_LOCKS, writer.key.compressed]];
}

/** Sessions of the service that wait for the advisory lock `lock`. */
export async function waitersFor(operator: pg.Client, lock: Lock): Promise<number> {
  const which =
    typeof lock === 'number'
      ? 'objsubid = 1 and objid = $1'
      : 'objsubid = 2 and classid = $1 and objid = (hashtext($2)::bigint & 4294967295)::oid';
  const { rows } = await operator.query<{ count: number }>(
    `select count(*)::int as count from pg_locks
     where locktype = 'advisory' and ${which} and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    typeof lock === 'number' ? [lock] : [...lock],
  );
  return rows[0]!.count;
}

/** Whether a session of this database waits for a lock. `operator` may be in a transaction. */
export async function isSomebodyWaiting(operator: pg.Client): Promise<boolean> {
  // Inside a transaction PostgreSQL shows again what it showed first.
  await operator.query('select pg_stat_clear_snapshot()');
  const { rows } = await operator.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

/**
 * Runs `act` at the moment at which a session of the service is about to get the advisory lock `lock`: `operator` holds
 * it until somebody waits for it, and gives it up behind `act`.
 */
export async function atLock(operator: pg.Client, lock: Lock, act: () => void): Promise<void> {
  const [key, values] = typeof lock === 'number' ? ['$1', [lock]] : ['$1, hashtext($2)', [...lock]];
  await operator.query(`select pg_advisory_lock(${key})`, values);
  try {
    await until(async () => (await waitersFor(operator, lock)) > 0);
    act();
  } finally {
    await operator.query(`select pg_advisory_unlock(${key})`, values);
  }
}
