import type { DescribedText } from './described-text.js';
import { verifierFor } from './described.verifier.js';
import { nameOnForge, projectIn } from './forge-places.js';

/** The parts of a repository that are read beside the paths. */
interface Repository {
  private?: unknown;
  fork?: unknown;
  mirror?: unknown;
  /** Where it was imported from; `''` for one that was not. */
  original_url?: unknown;
}

/**
 * Forgejo and Gitea, on any host, such as Codeberg: the description of a public project of the account. What was forked
 * or imported takes a description along, and a project of an organisation has several owners; neither counts. Sources:
 * go-gitea/gitea, modules/structs/repo.go, routers/api/v1/org/org.go.
 */
const FORGEJO: DescribedText = {
  platform: 'forgejo',
  publishes: 'post',
  guide: {
    label: 'Forgejo, Gitea, Codeberg',
    postUrl: 'https://{host}/{user}/{location}',
    identityExample: 'alice@codeberg.org',
    locationForms: ['proof', 'https://codeberg.org/alice/proof'],
    steps: [
      'Ask for a payload with your name and the host, name@host such as alice@codeberg.org, as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into the description of a public repository of your own (not a fork, not imported, and not of an organisation).',
      'Submit the proof with the address or the name of the repository as proof_location, and keep it as long as the proof shall stay valid.',
    ],
  },
  rates: { requests: 60, seconds: 60 }, // none is published
  path: ({ user, location }) => `/api/v1/repos/${encodeURIComponent(user)}/${encodeURIComponent(location)}`,
  texts: ['description'],
  format: 'plain',
  id: 'owner.id',
  name: 'owner.login',
  absent: [404],
  refuse(answer) {
    const { private: isPrivate, fork, mirror, original_url: origin } = answer as Repository;
    const isKnown = [isPrivate, fork, mirror].every((one) => typeof one === 'boolean') && typeof origin === 'string';
    if (!isKnown) throw new Error('members are missing');
    if (isPrivate) return 'The repository is private; a public one was expected.';
    if (mirror || origin !== '') return 'The repository was imported from elsewhere; one of its own was expected.';
    return fork ? 'The repository is a fork of another one; one of its own was expected.' : null;
  },
  confirm: {
    path: ({ user }) => `/api/v1/orgs/${encodeURIComponent(user)}`,
    read(status, isJson) {
      if (status === 404 && isJson) return null;
      return status === 200 && isJson ? 'This is an organisation, which several people may own.' : undefined;
    },
  },
  page: ({ user, host }) => `https://${host}/${user}`,
  nameIn: nameOnForge,
  locationIn: projectIn,
};

/** Reads descriptions of projects on Forgejo and Gitea. */
export const ForgejoVerifier = verifierFor(FORGEJO);
