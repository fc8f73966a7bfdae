import { PlatformUnavailableError } from '@signet/look';
import { valuesAt } from '../../src/verifiers/described/described-text.js';
import { DiscourseVerifier } from '../../src/verifiers/described/discourse.js';
import { ForgejoVerifier } from '../../src/verifiers/described/forgejo.js';
import { GitlabVerifier } from '../../src/verifiers/described/gitlab.js';
import { HackernewsVerifier } from '../../src/verifiers/described/hackernews.js';
import { LobstersVerifier } from '../../src/verifiers/described/lobsters.js';
import { OrcidVerifier } from '../../src/verifiers/described/orcid.js';
import { aFetcher } from '../support/fetcher.js';
import { jsonReply, type StandInHandler, type StandInReply, textReply } from '../support/stand-in-server.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  type PublishedPost,
  refusal,
  type VerifierUnderTest,
  verdictEverywhere,
} from './describe-verifier.js';
import {
  DISCOURSE_USER,
  FORGEJO_REPOSITORY,
  GITLAB_PROJECT,
  HACKERNEWS_USER,
  LOBSTERS_USER,
  ORCID_RECORD,
} from './recorded/described.js';

const HOST = 'code.example.com';
const userOf = (identity: string) => identity.replace(/@.*$/, '');
/** As sites show a name, which may have been chosen with capitals. */
const shown = (identity: string) => userOf(identity).replace(/^./, (letter) => letter.toUpperCase());
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('/', '&#x2F;').replaceAll('=', '&#61;');
const notFound = jsonReply({ errors: ['Not Found'] }, 404);

/** Answers by the start of a path; everything else is a page of the site. */
const serving =
  (answers: Record<string, StandInReply>): StandInHandler =>
  ({ path }) =>
    Object.entries(answers).find(([start]) => path.startsWith(start))?.[1] ??
    textReply('<html>Not Found</html>', 404, 'text/html');

const hackernews: VerifierUnderTest = {
  platform: 'hackernews',
  identity: 'Alice_Demo',
  otherIdentity: 'alice_demo',
  proofLocation: '',
  accountId: 'Alice_Demo',
  create: (web, options) => new HackernewsVerifier(web, options),
  settings: (baseUrl) => ({ HACKERNEWS_BASE_URL: baseUrl }),
  published: ({ author, text }) =>
    serving({ '/v0/user/': jsonReply({ ...HACKERNEWS_USER, id: author, about: escaped(text) }) }),
  absenceIsNo: { about: 'HackerNews/API, "Users": `about` is optional' },
  missing: {
    'null, as for unknown names': serving({ '/v0/user/': jsonReply(null) }),
    'an account without a text': serving({ '/v0/user/': jsonReply({ ...HACKERNEWS_USER, id: 'Alice_Demo' }) }),
  },
  foreign: {
    'the text of a link': ({ author, text }) =>
      serving({
        '/v0/user/': jsonReply({ ...HACKERNEWS_USER, id: author, about: `<a href="https://x.example">${text}</a>` }),
      }),
    'a quotation': ({ author, text }) =>
      serving({
        '/v0/user/': jsonReply({ ...HACKERNEWS_USER, id: author, about: `Mallory:<p>&gt; ${escaped(text)}` }),
      }),
  },
};

const lobsters: VerifierUnderTest = {
  platform: 'lobsters',
  identity: 'alice_demo',
  otherIdentity: 'mallory',
  proofLocation: '',
  accountId: LOBSTERS_USER.created_at,
  create: (web, options) => new LobstersVerifier(web, options),
  settings: (baseUrl) => ({ LOBSTERS_BASE_URL: baseUrl }),
  published: ({ author, text }) =>
    serving({ '/~': jsonReply({ ...LOBSTERS_USER, username: shown(author), about: text }) }),
  missing: {
    'a 404': serving({ '/~': jsonReply({ error: 'User not found' }, 404) }),
    'an empty text': serving({ '/~': jsonReply({ ...LOBSTERS_USER, username: 'alice_demo', about: '' }) }),
  },
  foreign: {
    'a quotation': ({ author, text }) =>
      serving({ '/~': jsonReply({ ...LOBSTERS_USER, username: author, about: `Mallory wrote:\n> ${text}` }) }),
  },
};

const orcidRecord = (path: string, person: object) => ({
  ...ORCID_RECORD,
  'orcid-identifier': { ...ORCID_RECORD['orcid-identifier'], path },
  person: { ...ORCID_RECORD.person, ...person },
});
const biography = (content: string) => ({ biography: { content, visibility: 'public' } });

const orcid: VerifierUnderTest = {
  platform: 'orcid',
  identity: '0000-0002-1825-0097',
  otherIdentity: '0000-0001-5109-3700',
  proofLocation: '',
  accountId: '0000-0002-1825-0097',
  create: (web, options) => new OrcidVerifier(web, options),
  settings: (baseUrl) => ({ ORCID_BASE_URL: baseUrl }),
  published: ({ author, text }) => serving({ '/v3.0/': jsonReply(orcidRecord(author, biography(text))) }),
  otherForms: {
    'the title of a website': ({ author, text }) => {
      const urls = [{ 'url-name': text, url: { value: 'https://alice.example.org' }, visibility: 'public' }];
      return serving({ '/v3.0/': jsonReply(orcidRecord(author, { 'researcher-urls': { 'researcher-url': urls } })) });
    },
  },
  missing: {
    'a 404': serving({ '/v3.0/': jsonReply({ 'response-code': 404, 'error-code': 9016 }, 404) }),
    'a record that was closed': serving({ '/v3.0/': jsonReply({ 'response-code': 409, 'error-code': 9044 }, 409) }),
    'a record without texts': serving({ '/v3.0/': jsonReply(ORCID_RECORD) }),
  },
};

const discourseUser = (author: string, members: object) => ({
  ...DISCOURSE_USER,
  user: { ...DISCOURSE_USER.user, username: shown(author), ...members },
});

const discourse: VerifierUnderTest = {
  platform: 'discourse',
  identity: `alice@${HOST}`,
  otherIdentity: `mallory@${HOST}`,
  proofLocation: '',
  accountId: '42',
  create: (web, options) => new DiscourseVerifier(web, options),
  settings: () => ({}),
  hosts: [HOST],
  published: ({ author, text }) => serving({ '/u/': jsonReply(discourseUser(author, { bio_raw: text })) }),
  absenceIsNo: { 'user.bio_raw': 'user_serializer.rb: `untrusted_attributes` are left out for new members' },
  missing: {
    'a 404': serving({ '/u/': notFound }),
    'a new member, whose text is hidden': serving({ '/u/': jsonReply(discourseUser('alice', {})) }),
    'a hidden profile': serving({ '/u/': jsonReply(discourseUser('alice', { profile_hidden: true })) }),
  },
  foreign: {
    'a quotation': ({ author, text }) =>
      serving({ '/u/': jsonReply(discourseUser(author, { bio_raw: `Mallory wrote:\n> ${text}` })) }),
  },
};

const forge = (author: string, members: object) => ({
  ...FORGEJO_REPOSITORY,
  owner: { id: 11, login: shown(author), full_name: '', username: shown(author) },
  ...members,
});
const onForge = (repository: object, org: StandInReply = notFound) =>
  serving({ '/api/v1/repos/alice/proof': jsonReply(repository), '/api/v1/orgs/alice': org });

const forgejo: VerifierUnderTest = {
  platform: 'forgejo',
  identity: `alice@${HOST}`,
  otherIdentity: `mallory@${HOST}`,
  proofLocation: 'proof',
  accountId: '11',
  create: (web, options) => new ForgejoVerifier(web, options),
  settings: () => ({}),
  hosts: [HOST],
  published: ({ author, text }) => onForge(forge(author, { description: text })),
  missing: {
    'a 404': serving({ '/api/v1/': notFound }),
    'an empty description': onForge(forge('alice', { description: '' })),
  },
  foreign: {
    'a fork': ({ author, text }) => onForge(forge(author, { description: text, fork: true, parent: {} })),
    'a project of an organisation': ({ author, text }) =>
      onForge(forge(author, { description: text }), jsonReply({ id: 11, name: 'alice' })),
    'a private project': ({ author, text }) => onForge(forge(author, { description: text, private: true })),
    'a project that was imported from elsewhere': ({ author, text }) =>
      onForge(forge(author, { description: text, original_url: 'https://elsewhere.example/mallory/proof' })),
    'a mirror': ({ author, text }) => onForge(forge(author, { description: text, mirror: true })),
    'the website of the project': ({ author, text }) => onForge(forge(author, { description: '', website: text })),
  },
};

const project = ({ author, text }: PublishedPost, kind = 'user') => ({
  ...GITLAB_PROJECT,
  description: text,
  namespace: { id: 13, name: 'Alice', path: userOf(author), kind, full_path: userOf(author), parent_id: null },
});
const onGitlab = (answer: object, members: object = {}) =>
  serving({
    '/api/v4/projects/': jsonReply(answer),
    '/api/graphql': jsonReply({ data: { project: { isForked: false, importStatus: 'none', ...members } } }),
  });

const gitlab: VerifierUnderTest = {
  platform: 'gitlab',
  identity: `alice@${HOST}`,
  otherIdentity: `mallory@${HOST}`,
  proofLocation: 'proof',
  accountId: '13',
  create: (web, options) => new GitlabVerifier(web, options),
  settings: () => ({}),
  hosts: [HOST],
  published: (post) => onGitlab(project(post)),
  missing: {
    'a 404': serving({ '/api/v4/': jsonReply({ message: '404 Project Not Found' }, 404) }),
    'no description': onGitlab({ ...project({ author: 'alice', text: '' } as PublishedPost), description: null }),
  },
  foreign: {
    'a fork': (post) => onGitlab(project(post), { isForked: true }),
    'a project that was imported from elsewhere': (post) => onGitlab(project(post), { importStatus: 'finished' }),
    'a project of a group': (post) => onGitlab(project(post, 'group')),
  },
};

const suites = [hackernews, lobsters, orcid, discourse, forgejo, gitlab];
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
