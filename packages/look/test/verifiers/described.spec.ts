import { PlatformUnavailableError } from '@signet/look';
import { valuesAt } from '../../src/verifiers/described/described-text.js';
import { aFetcher } from '../support/fetcher.js';
import { textReply } from '../support/stand-in-server.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import { aClaim, describePostVerifier, postOf, refusal, verdictEverywhere } from './describe-verifier.js';
import {
  DESCRIBED_SUITES,
  discourse,
  forgejo,
  gitlab,
  hackernews,
  HOST,
  lobsters,
  onGitlab,
  orcid,
  project,
} from './suites/described.js';

const suites = DESCRIBED_SUITES;
for (const suite of suites) describePostVerifier(suite);

describe.each(suites)('$platform: what is its own', (suite) => {
  const offline = suite.create(aFetcher(), {});
  const claim = aClaim(suite);
  const text = postOf(offline, claim);

  it('writes a text that fits the shortest descriptions', () => {
    expect(text.length).toBeLessThanOrEqual(255);
  });

  it('takes no page for an answer, whatever its status', async () => {
    for (const status of [200, 403, 404]) {
      const page = () => textReply('<html>', status, 'text/html');
      await expect(verdictEverywhere(suite, page, claim)).rejects.toThrow(PlatformUnavailableError);
    }
  });

  it('follows no redirect', async () => {
    const elsewhere = () => ({ status: 302, headers: { location: `https://${HOST}/elsewhere` } });

    await expect(verdictEverywhere(suite, elsewhere, claim)).rejects.toThrow(PlatformUnavailableError);
  });

  it('notices a name that has gone over to another account', async () => {
    const answer = suite.published({ author: suite.identity, text, avatar: claim.avatar });
    const verdict = await verdictEverywhere(suite, answer, claim);

    expect(verdict).toMatchObject({ valid: true, accountId: suite.accountId });
  });
});

describe('gitlab: forks and imports', () => {
  const claim = aClaim(gitlab);
  const post = { author: gitlab.identity, text: postOf(gitlab.create(aFetcher(), {}), claim), avatar: claim.avatar };

  it.each([
    { isForked: null },
    { isForked: 'no' },
    { isForked: undefined },
    { importStatus: null },
    { importStatus: undefined },
  ])('cannot be told apart by %j, so nothing is known', async (members) => {
    const handler = onGitlab(project(post), members);

    await expect(verdictEverywhere(gitlab, handler, claim)).rejects.toThrow(PlatformUnavailableError);
  });

  it('of another account are refused', async () => {
    expect(await verdictEverywhere(gitlab, onGitlab(project(post), { isForked: true }), claim)).toEqual(refusal());
  });
});

describe('a path through JSON', () => {
  it.each([
    [{ a: { b: 'x' } }, 'a.b', ['x']],
    [{ a: [{ b: 'x' }, { b: null }] }, 'a[].b', ['x', null]],
    [{ a: null }, 'a.b', []],
    [{ a: {} }, 'a.b', [undefined]],
    [{ __proto__: null }, 'toString', [undefined]],
  ])('reads %j at %s', (value, path, found) => {
    expect(valuesAt(value, path)).toEqual(found);
  });

  it.each([
    [{}, 'a.b'],
    [{ a: 'text' }, 'a.b'],
    [{ a: {} }, 'a[].b'],
    ['text', 'length'],
  ])('refuses %j at %s', (value, path) => {
    expect(() => valuesAt(value, path)).toThrow(TypeError);
  });
});

describeIdentities(hackernews.create(aFetcher(), {}), {
  accepted: [
    ['Alice_Demo', 'Alice_Demo'],
    ['https://news.ycombinator.com/user?id=Alice_Demo', 'Alice_Demo'],
    ['https://news.ycombinator.com/user?id=Alice_Demo#x', 'Alice_Demo'],
  ],
  refused: [
    '',
    'a',
    'a'.repeat(16),
    'al ice',
    'https://news.ycombinator.com/item?id=8863',
    'https://example.org/user?id=alice',
  ],
});
describeIdentities(lobsters.create(aFetcher(), {}), {
  accepted: [
    ['Alice_Demo', 'alice_demo'],
    ['https://lobste.rs/~Alice_Demo', 'alice_demo'],
    ['https://lobste.rs/u/alice_demo', 'alice_demo'],
  ],
  refused: ['', '-alice', 'a'.repeat(26), 'https://lobste.rs/s/hompz5', 'https://example.org/~alice'],
});
describeIdentities(orcid.create(aFetcher(), {}), {
  accepted: [
    ['0000-0002-1825-0097', '0000-0002-1825-0097'],
    ['https://orcid.org/0000-0002-1825-0097', '0000-0002-1825-0097'],
    ['0000-0002-1694-233x', '0000-0002-1694-233X'],
  ],
  refused: ['', '0000-0002-1825-0098', '0000000218250097', '0000-0002-1825', 'https://example.org/0000-0002-1825-0097'],
});
const names = {
  refused: [
    '',
    'alice',
    'alice@localhost',
    'alice@127.0.0.1',
    'alice@server.internal',
    '@code.example.com',
    'a b@x.example.com',
  ],
};
describeIdentities(discourse.create(aFetcher(), {}), {
  ...names,
  accepted: [
    ['Alice@Forum.Example.COM', 'alice@forum.example.com'],
    ['@alice@forum.example.com', 'alice@forum.example.com'],
    ['https://forum.example.com/u/Alice/summary', 'alice@forum.example.com'],
  ],
});
for (const suite of [forgejo, gitlab]) {
  describeIdentities(suite.create(aFetcher(), {}), {
    ...names,
    accepted: [
      ['Alice@Codeberg.org', 'alice@codeberg.org'],
      ['https://codeberg.org/Alice', 'alice@codeberg.org'],
      ['https://codeberg.org/Alice/proof', 'alice@codeberg.org'],
    ],
  });
  describeLocations(suite.create(aFetcher(), {}), {
    identity: `alice@${HOST}`,
    accepted: [
      ['proof', 'proof'],
      [`https://${HOST}/Alice/proof`, 'proof'],
      [`https://${HOST}/alice/proof.git`, 'proof'],
      [`${HOST}/alice/proof/src/branch/main`, 'proof'],
    ],
    refused: [
      '',
      '..',
      `https://${HOST}/mallory/proof`,
      'https://other.example.com/alice/proof',
      `https://${HOST}/alice`,
    ],
  });
}
