import { Injectable } from '@nestjs/common';
import type { CheckOutcome } from '../proof/proof-check.entity.js';

/** How many rechecks ended how. */
export type RecheckTotals = Record<CheckOutcome | 'superseded' | 'postponed', number>;

export function noTotals(): RecheckTotals {
  return { valid: 0, gone: 0, unavailable: 0, misconfigured: 0, superseded: 0, postponed: 0 };
}

/** How far the rechecks of a platform, or of all, have come. Seconds and minutes by the clock of the caller. */
export interface RecheckProgress {
  /** Proofs that wait for a recheck, as all servers see it. */
  due: number;
  /** Rechecks of this server that gave an answer, since it last had nothing to do. */
  done: number;
  /** Rechecks of this server that gave none: the platform or a setting was not there. */
  failed: number;
  /** Rechecks of this server in the last minute, answered or not. */
  ratePerMinute: number;
  /** At this rate; 0 where nothing is due, null where nothing moves. */
  estimatedSecondsLeft: number | null;
}

interface Count {
  done: number;
  failed: number;
  /** Nothing was left to do; the next check begins a new count. */
  isOver: boolean;
  /** Checks in the minute that began at `minuteMs`, and in the one before. */
  minuteMs: number;
  recent: number;
  before: number;
}

const MINUTE_MS = 60_000;

/** Counts rechecks by platform. */
@Injectable()
export class RecheckTally {
  private readonly counts = new Map<string, Count>();

  add(platform: string, isAnswer: boolean, now: Date): void {
    const count = this.countOf(platform, now);
    if (count.isOver) Object.assign(count, { done: 0, failed: 0, isOver: false });
    if (isAnswer) count.done += 1;
    else count.failed += 1;
    count.recent += 1;
  }

  /** Says that nothing is due on `platform`. What was counted stays to be seen until the next check. */
  finish(platform: string): void {
    const count = this.counts.get(platform);
    if (count) count.isOver = true;
  }

  progressOf(platform: string, due: number, now: Date): RecheckProgress {
    const { done, failed, minuteMs, recent, before } = this.countOf(platform, now);
    // A sliding minute: the present one so far, and the rest of the one before.
    const rest = 1 - Math.min(1, (now.getTime() - minuteMs) / MINUTE_MS);
    const ratePerMinute = Math.round(recent + before * rest);
    const secondsLeft = ratePerMinute === 0 ? null : Math.ceil((due / ratePerMinute) * 60);
    return { due, done, failed, ratePerMinute, estimatedSecondsLeft: due === 0 ? 0 : secondsLeft };
  }

  private countOf(platform: string, now: Date): Count {
    let count = this.counts.get(platform);
    if (!count) {
      count = { done: 0, failed: 0, isOver: false, minuteMs: now.getTime(), recent: 0, before: 0 };
      this.counts.set(platform, count);
    }
    const minutesGone = Math.floor((now.getTime() - count.minuteMs) / MINUTE_MS);
    if (minutesGone > 0) {
      count.before = minutesGone === 1 ? count.recent : 0;
      count.recent = 0;
      count.minuteMs += minutesGone * MINUTE_MS;
    }
    return count;
  }
}

/** All platforms together. They run side by side, so the whole takes as long as the slowest. */
export function totalProgress(parts: RecheckProgress[]): RecheckProgress {
  const sum = (number: (part: RecheckProgress) => number) => parts.reduce((total, part) => total + number(part), 0);
  const estimates = parts.map((part) => part.estimatedSecondsLeft);
  return {
    due: sum((part) => part.due),
    done: sum((part) => part.done),
    failed: sum((part) => part.failed),
    ratePerMinute: sum((part) => part.ratePerMinute),
    estimatedSecondsLeft: estimates.some((estimate) => estimate === null)
      ? null
      : Math.max(0, ...estimates.map((estimate) => estimate!)),
  };
}
