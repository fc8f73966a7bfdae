import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnusableError } from '../database/database.js';
import { isServerAway, isTooSlow } from '../database/pg-errors.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Does `work` again, backing off, for as long as the database is not there, takes no connections or has a table locked:
 * it may be starting beside this service, or an operator works on it. What waiting does not cure, such as a wrong
 * password, fails at once.
 * @param log receives one sentence for each failed try
 * @throws DatabaseUnusableError; any other error of `work`
 */
export async function waitForDatabase<Result>(
  work: () => Promise<Result>,
  log: (message: string) => void,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const isPassing =
        error instanceof DatabaseUnusableError ? error.isPassing : isServerAway(error) || isTooSlow(error);
      if (!isPassing) throw error;
      log(`${(error as Error).message}. Trying again in ${pauseMs / 1000} s.`);
    }
    await delay(pauseMs);
  }
}
