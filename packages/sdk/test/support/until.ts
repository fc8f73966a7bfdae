import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `isTrue` says so, asking every 20 milliseconds. @throws Error after `ms` milliseconds */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = 300_000): Promise<void> {
  const endsAt = performance.now() + ms;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`It was not so within ${ms} ms: ${isTrue.toString()}`);
    await delay(20);
  }
}
