import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { OpenDatabase } from '../database/database.js';
import type { BackfillStep } from '../database/schema/upgrade-steps.js';
import { isTooSlow } from '../database/pg-errors.js';
import type { WriteTransactions } from '../database/write-transactions.js';
import type { StepLease } from './step-lease.js';

/** Ids of one round; on the embedded engine all requests wait for it. */
const ROUND = { postgres: 5000, embedded: 1000 };
/** Milliseconds that a round may wait for rows that others change; then it is tried again. */
const LOCK_MS = 1000;
/** The least pause between two rounds. It is as long as the round was, so that half of the time is for others. */
const PAUSE_MS = 5;
/** Between two notes of how far it is. */
const NOTE_MS = 1000;

/**
 * Fills in columns of old rows, a range of ids in each transaction. Goes on where the last run was.
 * @throws LeaseLostError, StepStoppedError, the driver's error
 */
export async function backfill(
  dataSource: DataSource,
  transactions: WriteTransactions,
  { kind }: OpenDatabase,
  step: BackfillStep,
  lease: StepLease,
): Promise<void> {
  const [row] = (await dataSource.query(
    `select done, (select coalesce(max(id), 0) from ${step.table}) as last
     from upgrade_step where id = $1`,
    [step.id],
  )) as [{ done: number; last: number }];
  const { last } = row;
  let notedAtMs = -Infinity;
  for (let done = row.done; done < last;) {
    const startedAtMs = performance.now();
    const upTo = Math.min(done + ROUND[kind], last);
    try {
      await transactions.run((manager) => manager.query(step.sql, [done, upTo]), { lockMs: LOCK_MS });
      done = upTo;
    } catch (error) {
      // Others hold some of its rows for too long: the round is tried again.
      if (!isTooSlow(error)) throw error;
    }
    if (performance.now() - notedAtMs >= NOTE_MS) {
      await lease.report(done, last);
      notedAtMs = performance.now();
    }
    await delay(Math.max(PAUSE_MS, performance.now() - startedAtMs));
  }
  await lease.report(last, last);
}
