import type { Environment } from '../config/environment.js';

/** How many requests one host may get from this process in one window. */
export interface RateBudget {
  requests: number;
  seconds: number;
}

interface PlatformBudget {
  /** For requests that carry a credential of the operator; absent: the same as without. */
  withToken?: RateBudget;
  plain: RateBudget;
}

/**
 * The published limits of the platforms (docs/design/platforms.md, with its sources), a little below where a limit
 * counts what others do as well. Where none is published: what a polite client would do. A server that says otherwise
 * in its headers is believed (rate-hints.ts).
 */
const BUDGETS: Record<string, PlatformBudget> = {
  twitter: { withToken: { requests: 450, seconds: 900 }, plain: { requests: 300, seconds: 900 } },
  github: { withToken: { requests: 5000, seconds: 3600 }, plain: { requests: 60, seconds: 3600 } },
  discord: { plain: { requests: 45, seconds: 1 } },
  activitypub: { plain: { requests: 300, seconds: 300 } },
  keybase: { plain: { requests: 10, seconds: 1 } },
  dotbit: { plain: { requests: 10, seconds: 1 } },
  minds: { plain: { requests: 10, seconds: 1 } },
  dns: { plain: { requests: 50, seconds: 1 } },
  ethereum: { plain: { requests: 25, seconds: 1 } },
  // Servers of the operator's choice, often the operator's own, which say 429 if it is too much: at the usual 20 a
  // second every link of a back-log would wait for those before it. Six requests at a time per host are the other
  // bound.
  arweave: { plain: { requests: 100, seconds: 1 } },
  'arweave-upload': { plain: { requests: 100, seconds: 1 } },
};

const DEFAULT_BUDGET: RateBudget = { requests: 20, seconds: 1 };

/**
 * The budget of each host of a platform, RATE_BUDGETS first; other rooms use it to plan how many checks fit into a
 * time.
 */
export function rateBudgetOf(platform: string, hasToken: boolean, { RATE_BUDGETS }: Environment): RateBudget {
  const agreed = RATE_BUDGETS.find((entry) => entry.startsWith(`${platform}=`));
  if (agreed) {
    const [requests, seconds] = agreed
      .slice(platform.length + 1)
      .split('/')
      .map(Number) as [number, number];
    return { requests, seconds };
  }
  const budget = BUDGETS[platform];
  return (hasToken ? budget?.withToken : undefined) ?? budget?.plain ?? DEFAULT_BUDGET;
}
