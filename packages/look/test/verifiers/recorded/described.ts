/**
 * Answers about accounts. Recorded: the account of the documentation of HackerNews/API (README, "Users", its `about`
 * and list cut), one of lobste.rs (hottest.json of September 2020, as three Swift clients on GitHub keep it in a
 * comment), and ORCID's own demonstration record (trimmed as in the tests of x402-research-gateway). Composed after the
 * sources that the verifiers name: Discourse, Forgejo, GitLab.
 */
export const HACKERNEWS_USER = { created: 1173923446, delay: 0, id: 'jl', karma: 2937, submitted: [8265435, 8168423] };

export const LOBSTERS_USER = {
  username: 'pxlet',
  created_at: '2019-04-26T14:25:28.000-05:00',
  is_admin: false,
  about: 'Check out https://pxlet.com',
  is_moderator: false,
  karma: 456,
  avatar_url: '/avatars/pxlet-100.png',
  invited_by_user: 'lukas',
};

export const ORCID_RECORD = {
  'orcid-identifier': {
    uri: 'https://orcid.org/0000-0002-1825-0097',
    path: '0000-0002-1825-0097',
    host: 'orcid.org',
  },
  person: {
    name: { 'given-names': { value: 'Josiah' }, 'family-name': { value: 'Carberry' }, 'credit-name': null },
    biography: null as { content: string; visibility: string } | null,
    'researcher-urls': {
      'researcher-url': [] as { 'url-name': string | null; url: { value: string }; visibility: string }[],
    },
  },
};

/** Composed. */
export const DISCOURSE_USER = {
  user_badges: [],
  user: { id: 42, username: 'Alice', name: 'Alice', avatar_template: '/a/{size}.png', trust_level: 2 },
};

/** Composed after modules/structs/repo.go. */
export const FORGEJO_REPOSITORY = {
  id: 7,
  name: 'proof',
  full_name: 'Alice/proof',
  private: false,
  fork: false,
  template: false,
  parent: null,
  mirror: false,
  empty: true,
  original_url: '',
};

/** Composed after lib/api/entities/basic_project_details.rb and project_identity.rb. */
export const GITLAB_PROJECT = {
  id: 9,
  name: 'proof',
  name_with_namespace: 'Alice / proof',
  path: 'proof',
  path_with_namespace: 'alice/proof',
  created_at: '2026-01-01T00:00:00.000Z',
  topics: [],
  star_count: 0,
};
