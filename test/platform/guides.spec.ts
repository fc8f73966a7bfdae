import { loadEnvironment } from '../../src/config/environment.js';
import { createVerifiers } from '../../src/platform/platform.module.js';
import type { PlatformCosts, PlatformVerifier } from '../../src/platform/platform-verifier.js';
import { WebClient } from '../../src/web/web-client.js';

const clients: WebClient[] = [];
afterAll(() => Promise.all(clients.map((web) => web.stop())));

function verifiersWith(variables: Record<string, string>): PlatformVerifier[] {
  const environment = loadEnvironment(variables);
  const web = new WebClient(environment);
  clients.push(web);
  return createVerifiers(web, environment);
}

const verifiers = verifiersWith({});
const named = verifiers.map((verifier) => [verifier.platform, verifier] as const);

describe('what asking a platform costs', () => {
  const perSecond = (requests: number) => ({ plain: { requests, seconds: 1 } });
  const costsWith = (variables: Record<string, string>) =>
    Object.fromEntries(
      verifiersWith(variables).map(({ platform, costs: { hostOf, ...costs } = {} as PlatformCosts }) => [
        platform,
        hostOf ? { ...costs, host: hostOf('alice@social.example') } : costs,
      ]),
    );
  const x = { plain: { requests: 300, seconds: 900 }, withToken: { requests: 450, seconds: 900 } };
  const github = { plain: { requests: 60, seconds: 3600 }, withToken: { requests: 5000, seconds: 3600 } };

  it('is what it publishes, or little where it publishes nothing', () => {
    expect(costsWith({})).toEqual({
      twitter: { rates: x, hasToken: false, checksPerRequest: 1 },
      keybase: { rates: perSecond(10), requestsPerCheck: 2 },
      ethereum: { rates: perSecond(25) },
      github: { rates: github, hasToken: false },
      discord: { rates: perSecond(45) },
      dotbit: { rates: perSecond(10), requestsPerCheck: 2 },
      solana: {},
      minds: { rates: perSecond(10) },
      dns: { rates: perSecond(50) },
      activitypub: {
        rates: { plain: { requests: 300, seconds: 300 } },
        requestsPerCheck: 3,
        host: 'social.example',
      },
    });
  });

  it('is less with a token of the operator, and X answers for a hundred posts at once then', () => {
    expect(costsWith({ X_BEARER_TOKEN: 'x', GITHUB_TOKEN: 'y' })).toMatchObject({
      twitter: { rates: x, hasToken: true, checksPerRequest: 100 },
      github: { rates: github, hasToken: true },
    });
  });
});

describe('the guide', () => {
  it.each(named)('of %s shows forms of a location that it takes, where there is one', async (_platform, verifier) => {
    const { locationForms, identityExample } = verifier.guide;

    expect(locationForms.length > 0).toBe(verifier.publishes === 'post');
    // Somebody's own server is asked which post an address means.
    if (verifier.platform === 'activitypub') return;
    for (const form of locationForms) {
      expect(await verifier.canonicalLocation!(form, identityExample)).not.toBe('');
    }
  });

  it.each(named)('of %s leads from the payload to the submit in whole sentences', (_platform, verifier) => {
    const { steps } = verifier.guide;

    expect(steps.length).toBeGreaterThanOrEqual(3);
    for (const step of steps) expect(step).toMatch(/^[A-Z].*\.$/);
    expect(steps[0]).toContain('payload');
    expect(steps.join(' ')).toMatch(/[Ss]ubmit/);
    expect(steps.some((step) => step.includes('%SIG_BASE64%'))).toBe(verifier.publishes !== 'nothing');
  });
});
