import { RecheckTally, totalProgress } from '../../src/rechecks/recheck-tally.js';

const START = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);

describe('the progress of rechecks', () => {
  it('is the rate of the last minute and the time that is left at this rate', () => {
    const tally = new RecheckTally();
    for (let check = 0; check < 30; check++) tally.add('github', check % 10 !== 0, after(check));

    expect(tally.progressOf('github', 60, after(59))).toEqual({
      due: 60,
      done: 27,
      failed: 3,
      rate_per_minute: 30,
      estimated_seconds_left: 120,
    });
  });

  it('forgets a minute gradually', () => {
    const tally = new RecheckTally();
    for (let check = 0; check < 60; check++) tally.add('github', true, after(check));

    const rates = [60, 75, 90, 119, 121].map(
      (seconds) => tally.progressOf('github', 1, after(seconds)).rate_per_minute,
    );

    expect(rates).toEqual([60, 45, 30, 1, 0]);
  });

  it('says that the time left is unknown while nothing moves, and none where nothing is due', () => {
    const tally = new RecheckTally();

    expect(tally.progressOf('github', 5, START).estimated_seconds_left).toBe(-1);
    expect(tally.progressOf('github', 0, START).estimated_seconds_left).toBe(0);
  });

  it('counts from the start of what is being done now, and shows the last count until then', () => {
    const tally = new RecheckTally();
    tally.add('github', true, START);
    tally.finish('github');

    expect(tally.progressOf('github', 0, after(1)).done).toBe(1);
    tally.add('github', true, after(2));
    tally.add('github', true, after(3));
    expect(tally.progressOf('github', 0, after(4)).done).toBe(2);
  });

  it('lasts in all as long as on the slowest platform', () => {
    const part = { due: 10, done: 1, failed: 2, rate_per_minute: 5 };
    const [quick, slow, stuck] = [20, 120, -1].map((estimated_seconds_left) => ({ ...part, estimated_seconds_left }));

    expect(totalProgress([quick!, slow!])).toEqual({
      due: 20,
      done: 2,
      failed: 4,
      rate_per_minute: 10,
      estimated_seconds_left: 120,
    });
    expect(totalProgress([quick!, stuck!]).estimated_seconds_left).toBe(-1);
    expect(totalProgress([])).toEqual({ due: 0, done: 0, failed: 0, rate_per_minute: 0, estimated_seconds_left: 0 });
  });
});
