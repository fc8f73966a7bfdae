import { setTimeout as delay } from 'node:timers/promises';

/** `npm run test:mutation` gives up sooner: what thousands of mutants wait for never happens. */
const MOST_MS = Number(process.env.TEST_UNTIL_MS ?? Infinity);

/** On a busy machine all takes ten times as long; a test fails by what it waits for, and not by its own time limit. */
const PATIENCE_MS = 300_000;

/** Waits until `isTrue` says so, looking every few milliseconds; fails after `ms` milliseconds. */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  const limit = Math.min(ms, MOST_MS);
  const endsAt = performance.now() + limit;
  while (!(await isTrue())) {
    if (performance.now() > endsAt)
      throw new Error(`Nothing of the kind happened in ${limit} ms: ${isTrue.toString()}`);
    await delay(20);
  }
}
