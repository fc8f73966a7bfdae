import { PlatformUnavailableError } from '../domain/domain-errors.js';
import { type FailureKind, WebFailure } from '@signet/look';
import { TEST_TYPE, type WebhookDelivery } from './webhook-delivery.entity.js';
import { delayAfterAttempts, delayOfPostponed } from './webhook-schedule.js';

/** The outcome of one attempt. */
export type AttemptOutcome =
  | { kind: 'answered'; status: number }
  | { kind: 'failed'; error: string }
  /** No request was sent. */
  | { kind: 'postponed'; error: string; retryAfterSeconds: number }
  | { kind: 'dropped'; error: string };

/** The next step after an attempt, and the entry of the log. */
export interface Decision {
  /** A number: another attempt in so many milliseconds. */
  next: 'delivered' | 'dead' | number;
  isGone: boolean;
  wasAsked: boolean;
  status: number | null;
  /** One word; `''` after a success. */
  error: string;
}

/** Reasons of this server not to send a request; they are not the receiver's fault, so they cost no attempt. */
const NOT_ASKED: FailureKind[] = ['paused', 'limited', 'busy'];
const GONE = 410;

/** The outcome of an attempt that failed. @throws the error itself if it is a bug, and not a failed request */
export function outcomeOfError(error: unknown): AttemptOutcome {
  if (!(error instanceof PlatformUnavailableError) || !(error.cause instanceof WebFailure)) throw error;
  const { kind } = error.cause;
  if (!NOT_ASKED.includes(kind)) return { kind: 'failed', error: kind };
  return { kind: 'postponed', error: kind, retryAfterSeconds: error.retryAfterSeconds ?? 1 };
}

/**
 * Decides what happens after an attempt.
 * @param ageMs since the present round of the schedule began
 * @param random from 0 to 1, for the jitter
 */
export function decide(delivery: WebhookDelivery, outcome: AttemptOutcome, ageMs: number, random: number): Decision {
  const isTest = delivery.type === TEST_TYPE;
  const afterFailure = isTest ? 'dead' : (delayAfterAttempts(delivery.attempts + 1, random) ?? 'dead');
  switch (outcome.kind) {
    case 'answered': {
      const { status } = outcome;
      const answered = { isGone: status === GONE, wasAsked: true, status };
      if (status >= 200 && status < 300) return { ...answered, next: 'delivered', error: '' };
      if (status === GONE) return { ...answered, next: 'dead', error: 'gone' };
      return { ...answered, next: afterFailure, error: status < 400 ? 'redirected' : 'bad_status' };
    }
    case 'failed':
      return { next: afterFailure, isGone: false, wasAsked: true, status: null, error: outcome.error };
    case 'postponed': {
      const delayMs = delayOfPostponed(ageMs, outcome.retryAfterSeconds, random);
      const next = isTest ? 'dead' : (delayMs ?? 'dead');
      return { next, isGone: false, wasAsked: false, status: delivery.lastStatus, error: outcome.error };
    }
    case 'dropped':
      return { next: 'dead', isGone: false, wasAsked: false, status: delivery.lastStatus, error: outcome.error };
  }
}
