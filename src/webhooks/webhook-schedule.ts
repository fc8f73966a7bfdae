const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Standard Webhooks, "Deliverability and reliability": waits before each attempt, in milliseconds. The first goes out
 * immediately.
 */
const WAITS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const MAX_ATTEMPTS = WAITS_MS.length;

/** Spreads the attempts, so that a receiver that comes back does not get all of them at once. */
const JITTER = 0.1;

/**
 * A delivery that could not even be tried is given up after this long: the schedule is over by then, the jitter
 * included.
 */
const MAX_AGE_MS = 4 * 24 * HOUR;
const LONGEST_POSTPONEMENT_MS = 30 * MINUTE;

/**
 * Milliseconds before the next attempt after `attempts` requests that failed, or null if that was the last one.
 * @param random from 0 to 1
 */
export function delayAfterAttempts(attempts: number, random: number): number | null {
  const waitMs = WAITS_MS[attempts];
  return waitMs === undefined ? null : withJitter(waitMs, random);
}

/**
 * Milliseconds until the next try of a delivery that was not sent, because its host is paused or busy: a quarter of its
 * age, so that deliveries to a host that is down are tried less and less often. Null if it has waited for too long.
 * @param ageMs since the present round of the schedule began
 * @param atLeastSeconds the pause that the host asked for, or the rest of it
 * @param random from 0 to 1
 */
export function delayOfPostponed(ageMs: number, atLeastSeconds: number, random: number): number | null {
  if (ageMs > MAX_AGE_MS) return null;
  return withJitter(Math.max(atLeastSeconds * SECOND, Math.min(ageMs / 4, LONGEST_POSTPONEMENT_MS)), random);
}

function withJitter(waitMs: number, random: number): number {
  return waitMs * (1 + JITTER * random);
}
