import type pg from 'pg';
import { until } from './until.js';

/** For what takes a moment, unless the machine is busy. */
const PATIENCE_MS = 30_000;

/** Sessions of the service that wait for the advisory lock `lock`. */
export async function waitersFor(operator: pg.Client, lock: number): Promise<number> {
  const { rows } = await operator.query<{ count: number }>(
    `select count(*)::int as count from pg_locks
     where locktype = 'advisory' and objsubid = 1 and objid = $1 and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    [lock],
  );
  return rows[0]!.count;
}

/**
 * Runs `act` at the moment at which a session of the service is about to get the advisory lock `lock`: `operator` holds
 * it until somebody waits for it, and gives it up behind `act`.
 */
export async function atLock(operator: pg.Client, lock: number, act: () => void): Promise<void> {
  await operator.query('select pg_advisory_lock($1)', [lock]);
  try {
    await until(async () => (await waitersFor(operator, lock)) > 0, PATIENCE_MS);
    act();
  } finally {
    await operator.query('select pg_advisory_unlock($1)', [lock]);
  }
}
