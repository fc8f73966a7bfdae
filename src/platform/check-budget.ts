import type { RateBudget, WebClient } from '../outbound/web-client.js';
import type { PlatformVerifier } from './platform-verifier.js';

/** What rechecks of a platform may cost. */
export interface CheckBudget extends RateBudget {
  /** Requests to one host that a check takes as a rule. */
  requestsPerCheck: number;
  /** Checks that share one request; above 1 where `verifyMany` asks for many at once. */
  checksPerRequest: number;
  /** Who pays for a check of `identity`: a host that a user chose has a budget of its own. */
  payer(identity: string): string;
  /** Whether there is more than one payer. */
  hasManyPayers: boolean;
}

/**
 * How many checks of a platform fit into a time, as seen from one process. It is what the web client allows in all,
 * creates included; whoever plans rechecks leaves some for those.
 */
export function checkBudgetOf({ platform, costs }: PlatformVerifier, web: WebClient): CheckBudget {
  const hostOf = costs?.hostOf?.bind(costs);
  return {
    ...web.rateBudget(platform, costs?.hasToken ?? false),
    requestsPerCheck: costs?.requestsPerCheck ?? 1,
    checksPerRequest: costs?.checksPerRequest ?? 1,
    payer: hostOf ? (identity) => `${platform}@${hostOf(identity)}` : () => platform,
    hasManyPayers: hostOf !== undefined,
  };
}
