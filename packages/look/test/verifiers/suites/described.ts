import { DiscourseVerifier } from '../../../src/verifiers/described/discourse.js';
import { ForgejoVerifier } from '../../../src/verifiers/described/forgejo.js';
import { GitlabVerifier } from '../../../src/verifiers/described/gitlab.js';
import { HackernewsVerifier } from '../../../src/verifiers/described/hackernews.js';
import { LobstersVerifier } from '../../../src/verifiers/described/lobsters.js';
import { OrcidVerifier } from '../../../src/verifiers/described/orcid.js';
import { jsonReply, type StandInHandler, type StandInReply, textReply } from '../../support/stand-in-server.js';
import type { PublishedPost, VerifierUnderTest } from '../describe-verifier.js';
import {
  DISCOURSE_USER,
  FORGEJO_REPOSITORY,
  GITLAB_PROJECT,
  HACKERNEWS_USER,
  LOBSTERS_USER,
  ORCID_RECORD,
} from '../recorded/described.js';

/** The host of those whose users choose one. */
export const HOST = 'code.example.com';
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

export const hackernews: VerifierUnderTest = {
  platform: 'hackernews',
  identity: 'Alice_Demo',
  otherIdentity: 'alice_demo',
  proofLocation: '',
  accountId: 'Alice_Demo',
  create: (web, options) => new HackernewsVerifier(web, options),
  browser: (web, options) => new HackernewsVerifier(web, options),
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

export const lobsters: VerifierUnderTest = {
  platform: 'lobsters',
  identity: 'alice_demo',
  otherIdentity: 'mallory',
  proofLocation: '',
  accountId: LOBSTERS_USER.created_at,
  create: (web, options) => new LobstersVerifier(web, options),
  settings: (baseUrl) => ({ LOBSTERS_BASE_URL: baseUrl }),
  published: ({ author, text }) =>
    serving({ '/~': jsonReply({ ...LOBSTERS_USER, username: shown(author), about: text }) }),
  reused: ({ author, text }) => {
    const user = {
      ...LOBSTERS_USER,
      username: shown(author),
      about: text,
      created_at: '2026-10-01T08:00:00.000-05:00',
    };
    return serving({ '/~': jsonReply(user) });
  },
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

export const orcid: VerifierUnderTest = {
  platform: 'orcid',
  identity: '0000-0002-1825-0097',
  otherIdentity: '0000-0001-5109-3700',
  proofLocation: '',
  accountId: '0000-0002-1825-0097',
  create: (web, options) => new OrcidVerifier(web, options),
  browser: (web, options) => new OrcidVerifier(web, options),
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

export const discourse: VerifierUnderTest = {
  platform: 'discourse',
  identity: `alice@${HOST}`,
  otherIdentity: `mallory@${HOST}`,
  proofLocation: '',
  accountId: '42',
  create: (web, options) => new DiscourseVerifier(web, options),
  browser: (web, options) => new DiscourseVerifier(web, options),
  settings: () => ({}),
  hosts: [HOST],
  published: ({ author, text }) => serving({ '/u/': jsonReply(discourseUser(author, { bio_raw: text })) }),
  reused: ({ author, text }) => serving({ '/u/': jsonReply(discourseUser(author, { bio_raw: text, id: 43 })) }),
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

export const forgejo: VerifierUnderTest = {
  platform: 'forgejo',
  identity: `alice@${HOST}`,
  otherIdentity: `mallory@${HOST}`,
  proofLocation: 'proof',
  accountId: '11',
  create: (web, options) => new ForgejoVerifier(web, options),
  browser: (web, options) => new ForgejoVerifier(web, options),
  settings: () => ({}),
  hosts: [HOST],
  published: ({ author, text }) => onForge(forge(author, { description: text })),
  reused: ({ author, text }) =>
    onForge(forge(author, { description: text, owner: { id: 12, login: shown(author), username: shown(author) } })),
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

/** A project of GitLab as visitors see it. */
export const project = ({ author, text }: PublishedPost, kind = 'user') => ({
  ...GITLAB_PROJECT,
  description: text,
  namespace: { id: 13, name: 'Alice', path: userOf(author), kind, full_path: userOf(author), parent_id: null },
});
/** What GitLab answers for a project, and of where it comes from. */
export const onGitlab = (answer: object, members: object = {}) =>
  serving({
    '/api/v4/projects/': jsonReply(answer),
    '/api/graphql': jsonReply({ data: { project: { isForked: false, importStatus: 'none', ...members } } }),
  });

export const gitlab: VerifierUnderTest = {
  platform: 'gitlab',
  identity: `alice@${HOST}`,
  otherIdentity: `mallory@${HOST}`,
  proofLocation: 'proof',
  accountId: '13',
  create: (web, options) => new GitlabVerifier(web, options),
  browser: (web, options) => new GitlabVerifier(web, options),
  settings: () => ({}),
  hosts: [HOST],
  published: (post) => onGitlab(project(post)),
  reused: (post) => {
    const answer = project(post);
    return onGitlab({ ...answer, namespace: { ...answer.namespace, id: 14 } });
  },
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

/** Platforms by descriptions: what each answers. */
export const DESCRIBED_SUITES = [hackernews, lobsters, orcid, discourse, forgejo, gitlab];
