import type { Logger } from '@nestjs/common';
import type { PlatformVerifier, Verdict } from '@signet/look';
import { HOUR_MS, isDefect, outcomeOf, type Pace, RecheckPace, type RecheckOutcome } from '@signet/look/internal';
import type { PlatformService } from './platform.service.js';

/** Milliseconds of pause for a platform without a needed setting. */
const MISCONFIGURED_PAUSE_MS = 10 * 60_000;

/** How the log calls a check, and checks, before the name of a platform. */
export interface CheckWords {
  one: string;
  several: string;
}

/** The pace of checks over time, by the budgets of platforms, and what their answers mean for the next ones. */
export class PacedChecks {
  readonly pace = new RecheckPace();
  private readonly warnedAtMs = new Map<string, number>();

  /** @param share the part of each platform's budget that these checks may use */
  constructor(
    private readonly platforms: PlatformService,
    private readonly share: number,
    private readonly words: CheckWords,
    private readonly logger: Logger,
  ) {}

  /** How many calls of one budget of the platform these checks may make in its window. */
  paceOf(verifier: PlatformVerifier): Pace {
    const { requests, requestsPerCheck, seconds } = this.platforms.checkBudget(verifier);
    return { calls: Math.max(1, Math.floor((requests * this.share) / requestsPerCheck)), seconds };
  }

  /**
   * Reads an answer. A platform that wants to be left alone is, and an operator hears once an hour what is missing.
   * @param budgetKey key of the budget by which it was asked
   */
  judge(answer: Verdict | Error, platform: string, budgetKey: string, now: Date): RecheckOutcome {
    if (isDefect(answer)) this.logger.error(`${this.words.one} ${platform} failed: ${answer.stack}`);
    const outcome = outcomeOf(answer);
    const nowMs = now.getTime();
    if (outcome.kind === 'unavailable' && outcome.retryAfterSeconds) {
      this.pace.pause(budgetKey, nowMs + outcome.retryAfterSeconds * 1000, nowMs);
    }
    if (outcome.kind !== 'misconfigured') return outcome;
    this.pace.pause(budgetKey, nowMs + MISCONFIGURED_PAUSE_MS, nowMs);
    // A clock that was put back does not silence it.
    if (Math.abs(nowMs - (this.warnedAtMs.get(platform) ?? -HOUR_MS)) >= HOUR_MS) {
      this.warnedAtMs.set(platform, nowMs);
      this.logger.warn(`${this.words.several} ${platform} cannot work: ${outcome.reason}`);
    }
    return outcome;
  }
}
