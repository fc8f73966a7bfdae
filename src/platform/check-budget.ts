import type { Environment } from '../config/environment.js';
import { type RateBudget, rateBudgetOf } from '../web/platform-budgets.js';
import { MAX_IDS } from './verifiers/twitter/twitter-api.js';

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

/** The credential that raises the budget of a platform. */
const TOKENS: Partial<Record<string, keyof Environment>> = { twitter: 'X_BEARER_TOKEN', github: 'GITHUB_TOKEN' };

/**
 * One, where nothing else is said: webfinger, the post and sometimes nodeinfo; a file and its second name; a record and
 * the state of the indexer.
 */
const REQUESTS_PER_CHECK: Partial<Record<string, number>> = { activitypub: 3, keybase: 2, dotbit: 2 };

/**
 * How many checks of `platform` fit into a time, as seen from one process. It is what the web client allows in all,
 * creates included; whoever plans rechecks leaves room for those.
 */
export function checkBudgetOf(platform: string, environment: Environment): CheckBudget {
  const token = TOKENS[platform];
  const hasToken = token !== undefined && Boolean(environment[token]);
  const hasManyPayers = platform === 'activitypub';
  return {
    ...rateBudgetOf(platform, hasToken, environment),
    requestsPerCheck: REQUESTS_PER_CHECK[platform] ?? 1,
    checksPerRequest: platform === 'twitter' && hasToken ? MAX_IDS : 1,
    payer: hasManyPayers
      ? (identity) => `${platform}@${identity.slice(identity.lastIndexOf('@') + 1)}`
      : () => platform,
    hasManyPayers,
  };
}
