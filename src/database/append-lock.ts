import type { EntityManager } from 'typeorm';

/** Any number that no other advisory lock of this database uses; the relay and the migrator have their own. */
const APPEND_LOCK = 7_367_101;

/**
 * Takes the one lock under which links get their ids, until the end of the transaction.
 *
 * Ids are handed out before commit, so without it a slow transaction could commit id 7 after a reader of the feed has
 * passed id 8, and that reader would never see link 7. Call it after every row lock that the transaction needs, so that
 * no two transactions wait for each other crosswise, and at READ COMMITTED, so that the next statement sees what the
 * previous holder committed. It is held for an insert or two and one commit.
 */
export async function takeAppendLock(manager: EntityManager): Promise<void> {
  await manager.query('select pg_advisory_xact_lock($1)', [APPEND_LOCK]);
}
