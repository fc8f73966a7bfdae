import type { WebClient } from '../outbound/web-client.js';
import type { PlatformVerifier, Rate } from '@signet/look';

/** The budget for rechecks of a platform. */
export interface CheckBudget extends Rate {
  /** Requests to one host that a check takes as a rule. */
  requestsPerCheck: number;
  /** Checks that share one request; above 1 where `verifyMany` asks for many at once. */
  checksPerRequest: number;
  /** Key of the budget for a check of `identity`: a host that a user chose has a budget of its own. */
  budgetKey(identity: string): string;
  /** Whether each host has a budget of its own. */
  isPerHost: boolean;
}

/**
 * How many checks of a platform fit into a time, as seen from one process. It is what the web client allows in all,
 * creates included; the planning of rechecks has to leave some for those.
 */
export function checkBudgetOf({ platform, costs }: PlatformVerifier, web: WebClient): CheckBudget {
  const hostOf = costs?.hostOf?.bind(costs);
  return {
    ...web.rates.budgetOf(platform, costs?.hasToken ?? false),
    requestsPerCheck: costs?.requestsPerCheck ?? 1,
    checksPerRequest: costs?.checksPerRequest ?? 1,
    budgetKey: hostOf ? (identity) => `${platform}@${hostOf(identity)}` : () => platform,
    isPerHost: hostOf !== undefined,
  };
}
