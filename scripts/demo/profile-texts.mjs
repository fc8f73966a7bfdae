/** What the platforms on which a person puts the text into a profile, a project or a website answer, in their forms. */

/** @import { Platform } from './stand-in-platforms.mjs' */

/** @param {unknown} body */
const json = (body) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) });
const [FORGE_HOST, GITLAB_HOST, FORUM_HOST, SITE_HOST] = ['code', 'gitlab', 'forum', 'alice-site'].map(
  (name) => `${name}.demo-instance.org`,
);
/** The hosts that the accounts chose. */
export const PROFILE_HOSTS = [FORGE_HOST, GITLAB_HOST, FORUM_HOST, SITE_HOST];
const ORCID = '0000-0002-1825-0097';
const STEAM_ID = '76561197960287930';

/** @type {Record<string, Platform>} */
export const PROFILE_PLATFORMS = {
  hackernews: {
    identity: 'Alice_Demo',
    act: 'put the text into the field about of the profile',
    answers: (path, about) =>
      path === '/v0/user/Alice_Demo.json' && json({ id: 'Alice_Demo', created: 1173923446, karma: 1, about }),
  },
  lobsters: {
    identity: 'alice_demo',
    act: 'put the text into About in the settings',
    answers: (path, about) =>
      path === '/~alice_demo.json' &&
      json({ username: 'alice_demo', created_at: '2019-04-26T14:25:28.000-05:00', is_admin: false, about }),
  },
  forgejo: {
    identity: `alice@${FORGE_HOST}`,
    location: `https://${FORGE_HOST}/alice/proof`,
    act: 'put the text into the description of a repository',
    answers: (path, description) =>
      path === '/api/v1/repos/alice/proof' &&
      json({
        ...{ id: 21, name: 'proof', full_name: 'alice/proof', description, website: '', original_url: '' },
        ...{ private: false, fork: false, mirror: false, owner: { id: 11, login: 'alice' } },
      }),
  },
  gitlab: {
    identity: `alice@${GITLAB_HOST}`,
    location: `https://${GITLAB_HOST}/alice/proof`,
    act: 'put the text into the description of a project',
    answers: (path, description) => {
      if (path === '/api/graphql') return json({ data: { project: { isForked: false, importStatus: 'none' } } });
      const namespace = { id: 13, name: 'Alice', path: 'alice', kind: 'user', full_path: 'alice', parent_id: null };
      return path === '/api/v4/projects/alice%2Fproof' && json({ id: 22, path: 'proof', description, namespace });
    },
  },
  discourse: {
    identity: `alice@${FORUM_HOST}`,
    act: 'put the text into About me of the profile',
    answers: (path, bio) => path === '/u/alice.json' && json({ user: { id: 42, username: 'Alice', bio_raw: bio } }),
  },
  orcid: {
    identity: ORCID,
    act: 'put the text into the biography of the record',
    answers: (path, content) =>
      path === `/v3.0/${ORCID}/record` &&
      json({
        'orcid-identifier': { uri: `https://orcid.org/${ORCID}`, path: ORCID, host: 'orcid.org' },
        person: { biography: { content, visibility: 'public' }, 'researcher-urls': { 'researcher-url': [] } },
      }),
  },
  website: {
    identity: SITE_HOST,
    act: 'save the text as /.well-known/signet.json',
    answers: (path, body) => {
      if (body.startsWith('<'))
        return (
          path === '/' && { status: 200, type: 'text/html', body: `<!doctype html><html><head>${body}</head></html>` }
        );
      return path === '/.well-known/signet.json' && { status: 200, type: 'application/json', body };
    },
  },
  steam: {
    identity: STEAM_ID,
    act: 'put the text into the summary of the profile',
    answers: (path, text) =>
      path.startsWith(`/profiles/${STEAM_ID}/`) && {
        status: 200,
        type: 'text/xml; charset=utf-8',
        body: `<profile><steamID64>${STEAM_ID}</steamID64><privacyState>public</privacyState><summary><![CDATA[${text}]]></summary></profile>`,
      },
  },
};
