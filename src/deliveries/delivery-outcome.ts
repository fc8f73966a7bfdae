import { type FailureKind, PlatformUnavailableError, WebFailure } from '@signet/look';
import type { Delivery } from './delivery.js';

/** What follows from an attempt, and the entry of the log. */
export interface Decision {
  /** A number: another attempt in so many milliseconds. */
  next: 'delivered' | 'dead' | number;
  wasAsked: boolean;
  /** What the receiver answered last; null where no answer came. */
  status: number | null;
  /** One word; `''` after a success. */
  error: string;
}

/** What a decision depends on. */
export type Attempted = Pick<Delivery, 'attempts' | 'lastStatus'> & {
  /** Whether there is one attempt and no dead letter, as its result is in the answer to a request. */
  isOnce: boolean;
};

/** Reasons of this server not to send a request; they are not the receiver's fault, so they cost no attempt. */
const NOT_ASKED: FailureKind[] = ['paused', 'limited', 'busy'];

/** Gives a delivery up without a request. `error` is one word. */
export function giveUp({ lastStatus }: Attempted, error: string): Decision {
  return { next: 'dead', wasAsked: false, status: lastStatus, error };
}

/**
 * Decides by the status of the receiver's answer. `error` is `gone` after one of the statuses that end a subscription.
 */
export function afterAnswer(delivery: Attempted, status: number, gone: readonly number[] = [410]): Decision {
  const answered = { wasAsked: true, status };
  if (status >= 200 && status < 300) return { ...answered, next: 'delivered', error: '' };
  if (gone.includes(status)) return { ...answered, next: 'dead', error: 'gone' };
  return { ...answered, next: nextAttempt(delivery), error: status < 400 ? 'redirected' : 'bad_status' };
}

/**
 * Decides after a request that failed or was not sent.
 * @param ageMs since the present round of the schedule began
 * @throws the error itself if it is a bug, and not a failed request
 */
export function afterError(delivery: Attempted, error: unknown, ageMs: number): Decision {
  if (!(error instanceof PlatformUnavailableError) || !(error.cause instanceof WebFailure)) throw error;
  const { kind } = error.cause;
  if (!NOT_ASKED.includes(kind)) return { next: nextAttempt(delivery), wasAsked: true, status: null, error: kind };
  const delayMs = delayOfPostponed(ageMs, error.retryAfterSeconds ?? 1, Math.random());
  if (delayMs === null || delivery.isOnce) return giveUp(delivery, kind);
  return { next: delayMs, wasAsked: false, status: delivery.lastStatus, error: kind };
}

function nextAttempt({ isOnce, attempts }: Attempted): number | 'dead' {
  return isOnce ? 'dead' : (delayAfterAttempts(attempts + 1, Math.random()) ?? 'dead');
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Standard Webhooks, "Deliverability and reliability": milliseconds before each attempt but the first. */
const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** Spreads the attempts, so that a receiver that comes back does not get all of them at once. */
const JITTER = 0.1;

/** Milliseconds before any attempt, at most. */
export const LONGEST_WAIT_MS = Math.max(...WAITS_MS) * (1 + JITTER);

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
  const waitMs = WAITS_MS[attempts - 1];
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
