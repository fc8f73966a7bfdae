import { loadEnvironment } from '../../src/config/environment.js';
import { KvIdentity } from '../../src/kv/kv-identity.js';
import { PlatformService } from '../../src/platform/platform.service.js';
import { GithubVerifier } from '../../packages/look/src/verifiers/github.verifier.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { anAvatar } from '../support/avatar.js';

const web = new WebClient(loadEnvironment({}));
afterAll(() => web.stop());

function identitiesWith(variables: Record<string, string>): KvIdentity {
  const environment = loadEnvironment({ SERVICE_NAME: 'self', ...variables });
  return new KvIdentity(environment, new PlatformService([new GithubVerifier(web)], environment, web));
}

const identities = identitiesWith({});

const alice = anAvatar('alice').key;
const bob = anAvatar('bob').key;
const SPELLINGS: [string, string][] = [
  ['compressed', alice.compressed],
  ['uncompressed', alice.uncompressed],
  ['without 0x', alice.compressed.slice(2)],
  ['uncompressed without 0x', alice.uncompressed.slice(2)],
  ['with white space around it', ` ${alice.compressed}\n`],
];

describe('an identity of the key itself', () => {
  it.each(SPELLINGS)('is the uncompressed key, however it is spelt: %s', (_how, text) => {
    expect(identities.canonical(alice, 'self', text)).toBe(alice.uncompressed);
    expect(identities.find('self', text)).toBe(alice.uncompressed);
  });

  it.each([
    ['another key', bob.compressed],
    ['a text that is not a key', 'alice'],
    ['nothing', ''],
  ])('is refused where it is %s', (_what, text) => {
    expect(() => identities.canonical(alice, 'self', text)).toThrow(
      expect.objectContaining({
        code: 'invalid_identity',
        message: `On self an identity is the Avatar's own public key, and this is not ${alice.compressed}.`,
      }) as Error,
    );
  });

  it('is looked up for any key, and never found for what is not a key', () => {
    expect(identities.find('self', bob.compressed)).toBe(bob.uncompressed);
    expect(identities.find('self', 'alice')).toBeNull();
  });
});

describe('an identity of a platform', () => {
  it('is the one that the platform knows', () => {
    expect([identities.isSelf('self'), identities.isSelf('github')]).toEqual([true, false]);
    expect(identities.canonical(alice, 'github', 'Alice')).toBe('alice');
    expect(identities.find('github', 'Alice')).toBe('alice');
    expect(identities.find('github', 'a b')).toBeNull();
  });

  it('is refused where there can be none', () => {
    const refused = (code: string) => expect.objectContaining({ code }) as Error;

    expect(() => identities.canonical(alice, 'github', 'a b')).toThrow(refused('invalid_identity'));
    expect(() => identities.canonical(alice, 'nowhere', 'alice')).toThrow(refused('unknown_platform'));
    expect(() => identities.find('nowhere', 'alice')).toThrow(refused('unknown_platform'));
  });
});

describe('writing under an identity', () => {
  it.each([
    ['bound', 'github', true],
    ['bound', 'self', false],
    ['open', 'github', false],
    ['open', 'self', false],
  ])('takes, with the policy %s, on %s a valid proof of it: %s', (policy, platform, isAsked) => {
    expect(identitiesWith({ KV_WRITE_POLICY: policy }).asksForProof(platform)).toBe(isAsked);
  });
});
