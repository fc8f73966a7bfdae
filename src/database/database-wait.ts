import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnusableError } from './database.js';
import { isServerAway } from './pg-errors.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Does `work` again, backing off, for as long as the database is not there or not ready: it may be starting beside this
 * service. What waiting does not cure, such as a wrong password, fails at once.
 * @param say tells people why nothing happens
 * @throws DatabaseUnusableError, and whatever else `work` throws
 */
export async function whenDatabaseIsThere<Result>(
  work: () => Promise<Result>,
  say: (message: string) => void,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof DatabaseUnusableError ? error.isPassing : isServerAway(error);
      if (!isPassing) throw error;
      say(`${(error as Error).message}. Trying again in ${pauseMs / 1000} s.`);
    }
    await delay(pauseMs);
  }
}
