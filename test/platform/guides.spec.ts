import { loadEnvironment } from '../../src/config/environment.js';
import { addressesAt } from '../../src/platform/platform-addresses.js';
import { createVerifiers } from '../../src/platform/platform.module.js';
import type { PlatformCosts, PlatformVerifier } from '../../src/platform/platform-verifier.js';
import { WebClient } from '../../src/outbound/web-client.js';

const clients: WebClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((web) => web.stop())));

function verifiersWith(variables: Record<string, string>): PlatformVerifier[] {
  const environment = loadEnvironment(variables);
  const web = new WebClient(environment);
  clients.push(web);
  return createVerifiers(web, environment);
}

/** Made anew in each test, so that a mutant of a guide is known to be reached by it. */
function verifierOf(platform: string): PlatformVerifier {
  return verifiersWith({}).find((verifier) => verifier.platform === platform)!;
}

const platforms = verifiersWith({}).map(({ platform }) => platform);

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

describe('the settings that lead to another server', () => {
  it('are named with the path that belongs there', () => {
    expect(addressesAt('http://127.0.0.1:1', verifiersWith({}))).toEqual({
      X_API_BASE: 'http://127.0.0.1:1',
      X_SYNDICATION_BASE: 'http://127.0.0.1:1',
      X_OEMBED_BASE: 'http://127.0.0.1:1',
      KEYBASE_FILE_URL_TEMPLATE: 'http://127.0.0.1:1/keybase/{username}/{pubkey}.{ext}',
      KEYBASE_PROBE_URL: 'http://127.0.0.1:1/keybase/probe',
      KEYBASE_API_BASE: 'http://127.0.0.1:1',
      GITHUB_API_BASE: 'http://127.0.0.1:1',
      DISCORD_API_BASE: 'http://127.0.0.1:1',
      DOTBIT_INDEXER_URLS: 'http://127.0.0.1:1',
      DOTBIT_REGISTER_API_URL: 'http://127.0.0.1:1',
      MINDS_BASE_URL: 'http://127.0.0.1:1',
      DOH_URLS: 'http://127.0.0.1:1/dns-query',
    });
  });
});

describe('the guide', () => {
  it.each(platforms)('of %s shows forms of a location that it takes, where there is one', async (platform) => {
    const verifier = verifierOf(platform);
    const { locationForms, identityExample } = verifier.guide;

    expect(locationForms.length > 0).toBe(verifier.publishes === 'post');
    // Somebody's own server is asked which post an address means.
    if (verifier.platform === 'activitypub') return;
    for (const form of locationForms) {
      expect(await verifier.canonicalLocation!(form, identityExample)).not.toBe('');
    }
  });

  it.each(platforms)('of %s leads from the payload to the submit in whole sentences', (platform) => {
    const { guide, publishes } = verifierOf(platform);
    const { steps } = guide;

    expect(steps.length).toBeGreaterThanOrEqual(3);
    for (const step of steps) expect(step).toMatch(/^[A-Z].*\.$/);
    expect(steps[0]).toContain('payload');
    expect(steps.join(' ')).toMatch(/[Ss]ubmit/);
    expect(steps.some((step) => step.includes('%SIG_BASE64%'))).toBe(publishes !== 'nothing');
  });
});
