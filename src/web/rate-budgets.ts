import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Environment } from '../config/environment.js';
import { rateBudgetOf } from './platform-budgets.js';

/**
 * Counts requests per platform, host and kind of credential in fixed windows, after the table in platform-budgets.ts.
 */
export class RateBudgets {
  private readonly limiters = new Map<string, RateLimiterMemory>();

  constructor(private readonly environment: Environment) {}

  /** Takes one request; answers 0 if it may go now, else the milliseconds until the next window. */
  async take(platform: string, host: string, hasToken: boolean): Promise<number> {
    const name = `${platform}${hasToken ? '+token' : ''}`;
    let limiter = this.limiters.get(name);
    if (!limiter) {
      const { requests, seconds } = rateBudgetOf(platform, hasToken, this.environment);
      limiter = new RateLimiterMemory({ points: requests, duration: seconds });
      this.limiters.set(name, limiter);
    }
    try {
      await limiter.consume(host);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  }
}
