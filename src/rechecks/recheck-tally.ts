import { Injectable } from '@nestjs/common';
import type { CheckOutcome } from '../proof/check-outcome.js';
import type { ProgressDto } from './recheck.dto.js';

/** How many rechecks ended how. */
export type RecheckTotals = Record<CheckOutcome | 'superseded' | 'postponed', number>;

export function noTotals(): RecheckTotals {
  return { valid: 0, gone: 0, unavailable: 0, misconfigured: 0, superseded: 0, postponed: 0 };
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

  progressOf(platform: string, due: number, now: Date): ProgressDto {
    const { done, failed, minuteMs, recent, before } = this.countOf(platform, now);
    // A sliding minute: the present one so far, and the rest of the one before.
    const rest = 1 - Math.min(1, (now.getTime() - minuteMs) / MINUTE_MS);
    const rate = Math.round(recent + before * rest);
    const secondsLeft = rate === 0 ? -1 : Math.ceil((due / rate) * 60);
    return { due, done, failed, rate_per_minute: rate, estimated_seconds_left: due === 0 ? 0 : secondsLeft };
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
export function totalProgress(parts: ProgressDto[]): ProgressDto {
  const sum = (member: keyof ProgressDto) => parts.reduce((total, part) => total + part[member], 0);
  const estimates = parts.map((part) => part.estimated_seconds_left);
  return {
    due: sum('due'),
    done: sum('done'),
    failed: sum('failed'),
    rate_per_minute: sum('rate_per_minute'),
    estimated_seconds_left: estimates.includes(-1) ? -1 : Math.max(0, ...estimates),
  };
}
