import { jest } from '@jest/globals';

const realNow = Date.now;

/**
 * Puts the clock of this process, and of nothing else, `ms` milliseconds ahead (or back, where negative) of the true
 * time: timers go on, and so does the database. `jest.useRealTimers()` ends it.
 */
export function stepClock(ms: number): void {
  // Only the clock on the wall is ours; whatever measures or waits is real.
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  jest.useFakeTimers({ doNotFake: [...doNotFake, ...timers], now: realNow() + ms });
}
