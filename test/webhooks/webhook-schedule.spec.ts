import { MAX_ATTEMPTS, nextAttemptAt, postponedUntil } from '../../src/webhooks/webhook-schedule.js';

const START = new Date('2026-01-01T00:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function waitsAfterFailures(random: number): number[] {
  const waits: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const next = nextAttemptAt(attempts, START, random);
    if (!next) return waits;
    waits.push(next.getTime() - START.getTime());
  }
}

describe('the schedule of attempts', () => {
  it('is that of the specification', () => {
    const hours = (count: number) => count * HOUR;

    expect(waitsAfterFailures(0)).toEqual([5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours)]);
    expect(MAX_ATTEMPTS).toBe(10);
  });

  it('waits up to a tenth longer, so that not everything comes back at once', () => {
    const [least, most] = [waitsAfterFailures(0), waitsAfterFailures(1)];

    expect(most.map((wait, index) => wait / least[index]!)).toEqual(least.map(() => expect.closeTo(1.1, 9)));
  });
});

describe('a delivery that was not even tried', () => {
  const after = (ageMs: number) => new Date(START.getTime() + ageMs);
  const waitAt = (ageMs: number, atLeastSeconds = 1) =>
    postponedUntil(START, after(ageMs), atLeastSeconds, 0)!.getTime() - after(ageMs).getTime();

  it('waits as long as the host asks for, and a quarter of its age', () => {
    expect(waitAt(0)).toBe(SECOND);
    expect(waitAt(0, 30)).toBe(30 * SECOND);
    expect(waitAt(20 * MINUTE, 30)).toBe(5 * MINUTE);
  });

  it('waits half an hour at most, unless the host asks for more', () => {
    expect(waitAt(20 * HOUR)).toBe(30 * MINUTE);
    expect(waitAt(20 * HOUR, 3600)).toBe(HOUR);
  });

  it('is given up after four days', () => {
    expect(postponedUntil(START, after(95 * HOUR), 1, 0)).not.toBeNull();
    expect(postponedUntil(START, after(97 * HOUR), 1, 0)).toBeNull();
  });
});
