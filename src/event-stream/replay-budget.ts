import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { WINDOW_SECONDS } from '../bounds/bounds.js';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { Environment } from '../config/environment.js';

/**
 * Limits how much of the past the event streams of one address may read in a minute: opening a stream costs next to
 * nothing, but a stream from 0 reads everything that is kept. No stream is refused for it; it waits until the budget
 * allows more, and misses nothing.
 */
@Injectable()
export class ReplayBudget {
  private readonly pages: RateLimiterMemory | null;

  constructor(
    { RATE_LIMIT, RATE_LIMIT_REPLAYS }: Environment,
    private readonly refusals: RefusalCounter,
  ) {
    this.pages = RATE_LIMIT ? new RateLimiterMemory({ points: RATE_LIMIT_REPLAYS, duration: WINDOW_SECONDS }) : null;
  }

  /** Resolves when a stream of `client` may read one page more, or when `end` is aborted. */
  async takePage(client: string, end: AbortSignal): Promise<void> {
    for (let waitMs = await this.tryPage(client); waitMs > 0; waitMs = await this.tryPage(client)) {
      this.refusals.count('replays');
      await delay(waitMs, undefined, { signal: end }).catch(() => {});
      if (end.aborted) return;
    }
  }

  /** Milliseconds until the client may try again; 0 if it may go on. */
  private async tryPage(client: string): Promise<number> {
    try {
      await this.pages?.consume(client);
      return 0;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // The clock of the system may have stepped, so the time of the library is held within a window.
      return Math.min(Math.max(1, refusal.msBeforeNext), WINDOW_SECONDS * 1000);
    }
  }
}
