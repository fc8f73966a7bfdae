import { fillAddress, fillFileName, identityInAddress } from '@signet/sdk';
import { addressesAt } from '../../src/options/platform-addresses.js';
import { createVerifiers } from '@signet/look';
import type { PlatformVerifier } from '../../src/platform-verifier.js';
import { settingsFromOptions } from '../../src/options/settings.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import { anAvatar } from '../support/avatar.js';

const verifiers = (): PlatformVerifier[] => createVerifiers(aFetcher());

/** Made anew in each test, so that a mutant of a guide is known to be reached by it. */
function verifierOf(platform: string): PlatformVerifier {
  return verifiers().find((verifier) => verifier.platform === platform)!;
}

const platforms = verifiers().map(({ platform }) => platform);

describe.each(platforms)('what %s declares', (platform) => {
  it('has rates that a server can keep, where anybody is asked', () => {
    const { costs, guide, publishes } = verifierOf(platform);
    if (publishes !== 'nothing') expect(costs).toBeDefined();
    if (!costs) return;
    const { rates, requestsPerCheck = 1, checksPerRequest = 1 } = costs;

    for (const { requests, seconds } of Object.values(rates)) {
      expect([requests, seconds]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(Math.min(requests, seconds)).toBeGreaterThanOrEqual(1);
    }
    expect(rates.plain).toBeDefined();
    for (const count of [requestsPerCheck, checksPerRequest]) expect(count).toBeGreaterThanOrEqual(1);
    if (costs.hostOf) expect(costs.hostOf(guide.identityExample)).toMatch(/^[a-z0-9.-]+$/);
  });

  it('names options that lead all its requests to another server, and have settings', () => {
    const { [platform as 'github']: own = {} } = addressesAt('http://127.0.0.1:1', [verifierOf(platform)]);
    const settings = settingsFromOptions({ [platform]: own });

    for (const value of Object.values(own).flat()) expect(value).toMatch(/^http:\/\/127\.0\.0\.1:1(\/|$)/);
    expect(Object.keys(settings)).toHaveLength(Object.keys(own).length);
    expect(optionsIn(platform, settings)).toMatchObject(own);
  });

  it('has a name for people, and an identity that its own addresses lead to', () => {
    const { canonicalIdentity, guide } = verifierOf(platform);
    const { identityExample: identity, identityPattern, label, profileUrls = [] } = guide;

    expect(label).toMatch(/^\S.*\S$/u);
    expect(identity).toMatch(new RegExp(identityPattern, 'u'));
    for (const template of profileUrls) {
      const profile = fillAddress(template, { identity });
      expect(identityInAddress(template, profile!)).toBe(identity);
      expect(canonicalIdentity.call(verifierOf(platform), profile!)).toBe(identity);
    }
  });

  it('has templates that are filled by what a binding is made of', async () => {
    const verifier = verifierOf(platform);
    const { composeUrl, fileName, identityExample: identity, locationForms, postUrl } = verifier.guide;
    const location = postUrl?.includes('{location}')
      ? await verifier.canonicalLocation!(locationForms[0]!, identity)
      : undefined;
    const avatar = anAvatar().key.compressed;

    if (postUrl !== undefined) expect(fillAddress(postUrl, { identity, location })).toMatch(/^https:/);
    if (composeUrl !== undefined) expect(fillAddress(composeUrl, { identity, avatar, text: 'x' })).toMatch(/^https:/);
    if (fileName !== undefined) expect(fillFileName(fileName, { identity, avatar })).toMatch(/^\w+\.\w+$/);
  });

  it('shows forms of a location that it takes, where there is one', async () => {
    const verifier = verifierOf(platform);
    const { locationForms, identityExample } = verifier.guide;

    expect(locationForms.length > 0).toBe(verifier.publishes === 'post');
    // Where users choose the server, that server is asked which post an address means.
    if (verifier.costs?.hostOf) return;
    for (const form of locationForms) {
      expect(await verifier.canonicalLocation!(form, identityExample)).not.toBe('');
    }
  });

  it('leads from the payload to the submit in whole sentences', () => {
    const { guide, publishes } = verifierOf(platform);
    const { steps } = guide;

    expect(steps.length).toBeGreaterThanOrEqual(3);
    for (const step of steps) expect(step).toMatch(/^[A-Z].*\.$/);
    expect(steps[0]).toContain('payload');
    expect(steps.join(' ')).toMatch(/[Ss]ubmit/);
    expect(steps.some((step) => step.includes('%SIG_BASE64%'))).toBe(publishes !== 'nothing');
  });
});
