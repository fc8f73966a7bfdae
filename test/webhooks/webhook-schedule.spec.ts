import { delayAfterAttempts, delayOfPostponed } from '../../src/deliveries/delivery-outcome.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function waitsAfterFailures(random: number): number[] {
  const waits: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const wait = delayAfterAttempts(attempts, random);
    if (wait === null) return waits;
    waits.push(wait);
  }
}

describe('the schedule of attempts', () => {
  it('is that of the specification', () => {
    const hours = (count: number) => count * HOUR;

    expect(waitsAfterFailures(0)).toEqual([5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours)]);
  });

  it('waits up to a tenth longer, so that not everything comes back at once', () => {
    const [least, most] = [waitsAfterFailures(0), waitsAfterFailures(1)];

    expect(most.map((wait, index) => wait / least[index]!)).toEqual(least.map(() => expect.closeTo(1.1, 9)));
  });
});

describe('a delivery that was not even tried', () => {
  const waitAt = (ageMs: number, atLeastSeconds = 1) => delayOfPostponed(ageMs, atLeastSeconds, 0);

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
    expect(waitAt(95 * HOUR)).not.toBeNull();
    expect(waitAt(97 * HOUR)).toBeNull();
  });
});
