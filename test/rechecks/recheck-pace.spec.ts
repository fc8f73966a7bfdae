import { loadEnvironment } from '../../src/config/environment.js';
import type { Environment } from '../../src/config/environment.js';
import type { CheckBudget } from '../../src/platform/platform-checks.js';
import { createVerifiers, optionsFromSettings } from '@signet/look';
import { PlatformService } from '../../src/platform/platform.service.js';
import { RecheckPace } from '../../packages/look/src/internal.js';
import { WebClient } from '../../src/outbound/web-client.js';

const PACE = { calls: 2, seconds: 60 };

describe('the pace of rechecks', () => {
  it('lets through what a window allows, and says when the next one begins', () => {
    const pace = new RecheckPace();

    expect([0, 1000, 10_000].map((now) => pace.consume('github', PACE, now))).toEqual([0, 0, 50_000]);
    expect(pace.left('github', PACE, 59_999)).toBe(0);
    expect(pace.consume('github', PACE, 60_000)).toBe(0);
    expect(pace.left('github', PACE, 60_000)).toBe(1);
  });

  it('sends a long queue away to several windows', () => {
    const pace = new RecheckPace();
    const waits = [1, 2, 3, 4, 5, 6, 7].map(() => pace.consume('example.social', PACE, 0) / 1000);

    expect(waits).toEqual([0, 0, 60, 60, 120, 120, 180]);
  });

  it('counts each budget by itself', () => {
    const pace = new RecheckPace();

    expect(['a', 'b', 'a', 'b', 'a'].map((budgetKey) => pace.consume(budgetKey, PACE, 0))).toEqual([
      0, 0, 0, 0, 60_000,
    ]);
  });

  it('pauses a budget whose host asked for it, also beyond its window', () => {
    const pace = new RecheckPace();
    pace.pause('github', 90_000, 0);
    pace.pause('github', 10_000, 0);

    expect(pace.consume('github', PACE, 30_000)).toBe(60_000);
    expect(pace.isPaused('github', 89_999)).toBe(true);
    expect(pace.isPaused('github', 90_000)).toBe(false);
    expect(pace.consume('github', PACE, 90_000)).toBe(0);
  });

  it('keeps no window and no pause of a clock that was ahead and was put back', () => {
    const pace = new RecheckPace();
    const ahead = 10 * 365 * 86_400_000;
    for (let call = 0; call < 3; call++) pace.consume('github', PACE, ahead);
    pace.pause('gitlab', ahead + 90_000, ahead);

    expect(pace.isPaused('gitlab', 0)).toBe(false);
    expect(['github', 'gitlab'].map((budgetKey) => pace.consume(budgetKey, PACE, 0))).toEqual([0, 0]);
    expect(pace.left('github', PACE, 0)).toBe(1);
  });

  it('does not remember every host that a user ever named', () => {
    const pace = new RecheckPace();
    for (let host = 0; host < 20_000; host++) pace.consume(`host${host}`, PACE, host * 1000);

    expect(pace.size).toBeLessThanOrEqual(5_000);
  });
});

/** All platforms as a server with these settings has them. */
function platformsWith(environment: Environment): PlatformService {
  const web = new WebClient(environment);
  return new PlatformService(createVerifiers(web, optionsFromSettings(environment)), environment, web);
}

const checkBudgetOf = (platform: string, environment: Environment): CheckBudget => {
  const platforms = platformsWith(environment);
  return platforms.checkBudget(platforms.get(platform));
};

describe('what rechecks of a platform may cost', () => {
  const plain = loadEnvironment({});

  it('follows the credential that the server has', () => {
    expect(checkBudgetOf('github', plain)).toMatchObject({ requests: 60, seconds: 3600, checksPerRequest: 1 });
    expect(checkBudgetOf('github', loadEnvironment({ GITHUB_TOKEN: 'x' }))).toMatchObject({ requests: 5000 });
  });

  it('is what the operator agreed on with the platform, if that is said', () => {
    const agreed = loadEnvironment({ RATE_BUDGETS: 'twitter=15/900, github=15000/3600', GITHUB_TOKEN: 'x' });

    expect(checkBudgetOf('github', agreed)).toMatchObject({ requests: 15_000, seconds: 3600 });
    expect(checkBudgetOf('twitter', agreed)).toMatchObject({ requests: 15, seconds: 900 });
    expect(checkBudgetOf('keybase', agreed)).toMatchObject({ requests: 10, seconds: 1 });
  });

  it.each(['github', 'github=0/1', 'github=5', 'github=5/1;minds=5/1'])(
    'is refused at the start where it is said wrongly: %s',
    (text) => {
      expect(() => loadEnvironment({ RATE_BUDGETS: text })).toThrow('RATE_BUDGETS must be a list such as');
    },
  );

  it('is refused at the start where it is said of a platform that nobody knows', () => {
    const environment = loadEnvironment({ RATE_BUDGETS: 'gihtub=5/1,github=5/1' });

    expect(() => platformsWith(environment).assertSettingsFit()).toThrow(
      'RATE_BUDGETS names gihtub, but there are only',
    );
  });

  it('is one request for a hundred posts on X with a token, and one for each without', () => {
    expect(checkBudgetOf('twitter', plain).checksPerRequest).toBe(1);
    expect(checkBudgetOf('twitter', loadEnvironment({ X_BEARER_TOKEN: 'x' })).checksPerRequest).toBe(100);
  });

  it('is paid by each server of the Fediverse for itself', () => {
    const { budgetKey, isPerHost } = checkBudgetOf('activitypub', plain);

    expect(isPerHost).toBe(true);
    expect(['alice@one.example', 'bob@one.example', 'alice@two.example'].map(budgetKey)).toEqual([
      'activitypub@one.example',
      'activitypub@one.example',
      'activitypub@two.example',
    ]);
  });
});
