import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { HostRates, Rate } from '@signet/look';
import type { Environment } from '../../config/environment.js';

const DEFAULT_BUDGET: Rate = { requests: 20, seconds: 1 };

/** Counts requests per platform, host and kind of credential in fixed windows. */
export class RateBudgets {
  private readonly declared = new Map<string, HostRates>();
  /** Budgets that the operator has agreed on with platforms (RATE_BUDGETS). */
  private readonly agreed: Map<string, Rate>;
  private readonly limiters = new Map<string, RateLimiterMemory>();

  constructor({ RATE_BUDGETS }: Pick<Environment, 'RATE_BUDGETS'>) {
    this.agreed = new Map(RATE_BUDGETS.map(readBudget));
  }

  /** Declares the rates of each host of `platform`, before its first request. The default is 20 requests a second. */
  declare(platform: string, rates: HostRates): void {
    this.declared.set(platform, rates);
  }

  /** All platforms whose rates were declared. */
  names(): string[] {
    return [...this.declared.keys()];
  }

  /** The requests that each host of `platform` may get: those of RATE_BUDGETS, or else the declared ones. */
  budgetOf(platform: string, hasToken: boolean): Rate {
    const rates = this.declared.get(platform);
    return this.agreed.get(platform) ?? (hasToken ? rates?.withToken : undefined) ?? rates?.plain ?? DEFAULT_BUDGET;
  }

  /** Counts one request. Returns 0 if it may be sent now, else the milliseconds until the next window. */
  async consume(platform: string, host: string, hasToken: boolean): Promise<number> {
    const name = `${platform}${hasToken ? '+token' : ''}`;
    let limiter = this.limiters.get(name);
    if (!limiter) {
      const { requests, seconds } = this.budgetOf(platform, hasToken);
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

/** `github=15000/3600`: the platform, requests and seconds. The settings have checked the form. */
function readBudget(entry: string): [string, Rate] {
  const [platform = '', budget = ''] = entry.split('=');
  const [requests = 0, seconds = 0] = budget.split('/').map(Number);
  return [platform, { requests, seconds }];
}
