import type { DescribedText } from './described-text.js';
import { verifierFor } from './described.verifier.js';

/**
 * Discourse, on any host: "About me" of the account, as it was written. Sites hide it of new members, and of those who
 * hide their profile. Source: discourse/discourse, app/serializers/user_serializer.rb; docs.discourse.org, "Get a
 * single user by username".
 */
const DISCOURSE: DescribedText = {
  platform: 'discourse',
  publishes: 'record',
  guide: {
    label: 'Discourse',
    postUrl: 'https://{host}/u/{user}',
    identityExample: 'alice@forum.example.com',
    locationForms: [],
    steps: [
      'Ask for a payload with your name and the host of the forum, name@host, as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into About me in the preferences of your profile, and save it. Forums hide it of new members, so look at your profile without signing in.',
      'Submit the proof without proof_location, and keep the text as long as the proof shall stay valid.',
    ],
  },
  rates: { requests: 60, seconds: 60 }, // half of what an address has by default (max_reqs_per_ip_per_minute)
  path: ({ user }) => `/u/${encodeURIComponent(user)}.json`,
  texts: ['user.bio_raw'],
  noText: 'absent',
  format: 'plain',
  id: 'user.id',
  name: 'user.username',
  absent: [404, 410],
  page: ({ user, host }) => `https://${host}/u/${user}`,
  nameIn: ({ host, path: [kind, name] }) => (kind === 'u' && name !== undefined ? `${name}@${host}` : null),
};

/** Reads "About me" of accounts on forums that run Discourse. */
export const DiscourseVerifier = verifierFor(DISCOURSE);
