import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `isTrue` says so, looking every few milliseconds; fails after `ms` milliseconds. */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  const endsAt = performance.now() + ms;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`Nothing of the kind happened in ${ms} ms: ${isTrue.toString()}`);
    await delay(20);
  }
}
