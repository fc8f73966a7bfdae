/**
 * A fork as "Get a gist" answers it, cut to what matters. The form of `fork_of` and of the owner is that of the schemas
 * `gist-simple` and `simple-user` in GitHub's own description of its REST API (github/rest-api-description, version
 * 2022-11-28); names and numbers are invented.
 */
export const FORKED_GIST = {
  url: 'https://api.github.com/gists/0123456789abcdef0123456789abcdef',
  forks_url: 'https://api.github.com/gists/0123456789abcdef0123456789abcdef/forks',
  id: '0123456789abcdef0123456789abcdef',
  public: true,
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05Z',
  description: 'proof',
  comments: 0,
  user: null,
  owner: { login: 'Alice-Demo', id: 9000001, type: 'User', site_admin: false },
  fork_of: {
    url: 'https://api.github.com/gists/fedcba9876543210fedcba9876543210',
    id: 'fedcba9876543210fedcba9876543210',
    files: {},
    public: true,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    description: 'proof',
    comments: 0,
    user: null,
    owner: { login: 'mallory', id: 9000002, type: 'User', site_admin: false },
  },
  truncated: false,
};
