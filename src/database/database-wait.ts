import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnusableError } from './database.js';
import { isServerAway } from './pg-errors.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export interface Waiting {
  /** Tells people why nothing happens. */
  say: (message: string) => void;
  /** Ends the waiting. */
  signal: AbortSignal;
  firstPauseMs?: number;
}

/**
 * Does `work` again, backing off, for as long as the database is not there or not ready: it may be starting beside this service. What waiting
 * does not cure, such as a wrong password, fails at once.
 * @throws DatabaseUnusableError, and whatever else `work` throws. @throws AbortError if `signal` ends the waiting.
 */
export async function whenDatabaseIsThere<Result>(work: () => Promise<Result>, waiting: Waiting): Promise<Result> {
  let pauseMs = waiting.firstPauseMs ?? FIRST_PAUSE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof DatabaseUnusableError ? error.isPassing : isServerAway(error);
      if (!isPassing) throw error;
      waiting.say(`${(error as Error).message}. Trying again in ${pauseMs / 1000} s.`);
    }
    await delay(pauseMs, undefined, { signal: waiting.signal });
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}
