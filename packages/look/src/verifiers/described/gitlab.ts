import type { DescribedText } from './described-text.js';
import { verifierFor } from './described.verifier.js';
import { nameOnForge, projectIn } from './forge-places.js';

/** The part of a project that is read beside the paths. */
interface Project {
  namespace?: { kind?: unknown };
}

/** Where a project came from, as GraphQL says it. */
interface Origin {
  isForked?: unknown;
  /** `none` for what was not imported. */
  importStatus?: unknown;
}

const ORIGIN = 'query ($path: ID!) { project(fullPath: $path) { isForked importStatus } }';

/**
 * GitLab, on any host: the description of a public project of the account. What was forked or imported takes a
 * description along, which visitors see by GraphQL alone; a project of a group has several owners; neither counts. The
 * stable id is that of the account's namespace, since visitors do not see the account's own.
 * Sources: gitlabhq/gitlabhq, lib/api/entities/basic_project_details.rb, namespace_basic.rb; "GraphQL API resources",
 * `Project.isForked` (16.9), `Project.importStatus`.
 */
const GITLAB: DescribedText = {
  platform: 'gitlab',
  publishes: 'post',
  guide: {
    label: 'GitLab',
    postUrl: 'https://{host}/{user}/{location}',
    identityExample: 'alice@gitlab.com',
    locationForms: ['proof', 'https://gitlab.com/alice/proof'],
    steps: [
      'Ask for a payload with your username and the host, name@host such as alice@gitlab.com, as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into the description of a public project of your own (not a fork, not imported, and not of a group).',
      'Submit the proof with the address or the name of the project as proof_location, and keep it as long as the proof shall stay valid.',
    ],
  },
  rates: { requests: 60, seconds: 60 }, // "Rate limits on Projects API": 200 requests in ten minutes without signing in
  path: ({ user, location }) => `/api/v4/projects/${encodeURIComponent(`${user}/${location}`)}`,
  texts: ['description'],
  noText: 'null',
  format: 'plain',
  id: 'namespace.id',
  name: 'namespace.path',
  absent: [404],
  refuse(answer) {
    const kind = (answer as Project).namespace?.kind;
    if (typeof kind !== 'string') throw new Error('a member is missing');
    return kind === 'user' ? null : 'The project belongs to a group, which several people may own.';
  },
  confirm: {
    path: () => '/api/graphql',
    body: ({ user, location }) => ({ query: ORIGIN, variables: { path: `${user}/${location}` } }),
    read(status, _isJson, answer) {
      const project = (answer as { data?: { project?: Origin | null } } | null)?.data?.project;
      const { isForked, importStatus } = project ?? {};
      if (status !== 200 || typeof isForked !== 'boolean' || typeof importStatus !== 'string') return undefined;
      if (isForked) return 'The project is a fork of another one; one of its own was expected.';
      return importStatus === 'none' ? null : 'The project was imported from elsewhere; one of its own was expected.';
    },
  },
  page: ({ user, host }) => `https://${host}/${user}`,
  nameIn: nameOnForge,
  locationIn: projectIn,
};

/** Reads descriptions of projects on GitLab. */
export const GitlabVerifier = verifierFor(GITLAB);
