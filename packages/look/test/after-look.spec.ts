import { afterLook, type LookProgress } from '../src/internal.js';

const DAY = 24 * 3600;
const HOUR_MS = 3_600_000;
const NEW: LookProgress = { isSeen: null, goneSince: null, failures: 0 };
const now = new Date(1_700_000_000_000);
const later = (ms: number) => new Date(now.getTime() + ms);
const GONE = { kind: 'gone', reason: 'not there' } as const;
const SEEN = { kind: 'valid', verdict: { valid: true } } as const;

describe('what follows from a look', () => {
  it.each([0, 0.5, 0.999])('is never a second look within the interval, where something was said: %d', (random) => {
    for (const after of [
      afterLook(NEW, SEEN, now, DAY, () => random),
      afterLook({ ...NEW, isSeen: false, goneSince: now }, GONE, later(DAY * 1000), DAY, () => random),
    ]) {
      expect(after.inMs).toBeGreaterThanOrEqual(DAY * 1000);
      expect(after.inMs).toBeLessThanOrEqual(1.1 * DAY * 1000);
    }
  });

  it('says no only an hour after it was first not there', () => {
    const first = afterLook({ ...NEW, isSeen: true }, GONE, now, DAY);
    expect(first).toMatchObject({ says: null, state: { isSeen: true, goneSince: now } });
    expect(first.inMs).toBeGreaterThanOrEqual(HOUR_MS);

    const early = afterLook(first.state, GONE, later(HOUR_MS - 1), DAY);
    expect(early.says).toBeNull();
    expect(early.inMs).toBeGreaterThan(0);
    expect(afterLook(first.state, GONE, later(HOUR_MS), DAY)).toMatchObject({ says: false, state: { isSeen: false } });
    expect(afterLook(first.state, SEEN, later(HOUR_MS), DAY)).toMatchObject({ says: true, state: { goneSince: null } });
  });

  it('forgets when it was first not there, by a clock that was ahead and was put back', () => {
    const before = { isSeen: true, goneSince: later(24 * HOUR_MS), failures: 0 };

    const after = afterLook(before, GONE, now, DAY);

    expect(after).toMatchObject({ says: null, state: { isSeen: true, goneSince: now } });
    expect(after.inMs).toBeLessThanOrEqual(HOUR_MS + 60_000);
  });

  it('is nothing but another try where nothing was learnt', () => {
    const before = { isSeen: true, goneSince: now, failures: 1 };
    for (const outcome of [
      { kind: 'unavailable', reason: 'down' },
      { kind: 'misconfigured', reason: 'no token' },
    ] as const) {
      const after = afterLook(before, outcome, now, DAY);
      expect(after).toMatchObject({ says: null, state: { ...before, failures: 2 } });
      expect(after.inMs).toBeGreaterThanOrEqual(10 * 60_000);
    }
    const asked = afterLook(NEW, { kind: 'unavailable', reason: 'limit', retryAfterSeconds: 7 * 3600 }, now, DAY);
    expect(asked.inMs).toBe(7 * HOUR_MS);
  });
});
