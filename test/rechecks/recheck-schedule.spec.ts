import { DAY_MS, delayAfterChecks, delayAfterFailure, HOUR_MS, steadyDelay } from '../../packages/look/src/internal.js';

const STEADY = 3 * 24 * 3600;
const MIDDLE = () => 0.5;
const LOWEST = () => 0;
const HIGHEST = () => 0.999999;

describe('the schedule of rechecks', () => {
  it.each([
    ['an hour after the create', 0, HOUR_MS],
    ['a day later', 1, DAY_MS],
    ['then every three days', 2, 3 * DAY_MS],
    ['for ever', 1000, 3 * DAY_MS],
  ])('looks %s, with a spread of a tenth', (_when, checksDone, delay) => {
    expect(delayAfterChecks(checksDone, { steadySeconds: STEADY }, MIDDLE)).toBe(delay);
    expect(delayAfterChecks(checksDone, { steadySeconds: STEADY }, LOWEST)).toBe(0.9 * delay);
    expect(delayAfterChecks(checksDone, { steadySeconds: STEADY }, HIGHEST) / delay).toBeCloseTo(1.1, 4);
  });

  it('never waits longer than an operator wants who chose a short interval', () => {
    expect([0, 1, 2].map((checksDone) => delayAfterChecks(checksDone, { steadySeconds: 600 }, MIDDLE))).toEqual([
      600_000, 600_000, 600_000,
    ]);
    expect(steadyDelay(9, { steadySeconds: 600 }, MIDDLE)).toBe(600_000);
  });

  it('becomes rarer from the third week on where that is asked for, up to the longest interval', () => {
    const intervals = { steadySeconds: STEADY, longestSeconds: 60 * 24 * 3600 };
    const days = (delay: (checksDone: number) => number) =>
      [0, 1, 2, 5, 6, 7, 8, 9, 10, 1000].map((checksDone) => delay(checksDone) / DAY_MS);

    expect(days((checksDone) => delayAfterChecks(checksDone, intervals, MIDDLE))).toEqual([
      1 / 24,
      1,
      3,
      3,
      6,
      12,
      24,
      48,
      60,
      60,
    ]);
    expect(days((checksDone) => steadyDelay(checksDone, intervals, MIDDLE))).toEqual([
      3, 3, 3, 3, 6, 12, 24, 48, 60, 60,
    ]);
    expect(delayAfterChecks(9, { steadySeconds: STEADY, longestSeconds: 600 }, MIDDLE)).toBe(3 * DAY_MS);
  });

  it('asks a platform that does not answer again, ever later, up to six hours', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 1000].map(
      (failures) => delayAfterFailure(failures, undefined, STEADY, HIGHEST) / 60_000,
    );

    expect(minutes.map(Math.round)).toEqual([10, 20, 40, 80, 160, 320, 360, 360]);
  });

  it('does not let many proofs come back to it together', () => {
    expect(delayAfterFailure(3, undefined, STEADY, LOWEST)).toBe(20 * 60_000);
    expect(delayAfterFailure(3, undefined, STEADY, MIDDLE)).toBe(30 * 60_000);
  });

  it('stays away as long as the platform asked', () => {
    expect(delayAfterFailure(1, 3000, STEADY, LOWEST)).toBe(3000 * 1000);
    expect(delayAfterFailure(1, 1, STEADY, LOWEST)).toBe(5 * 60_000);
  });
});
