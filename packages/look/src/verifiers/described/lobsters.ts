import { PLATFORM_DEFAULTS } from '../../options/options.js';
import type { DescribedText } from './described-text.js';
import { verifierFor } from './described.verifier.js';

/**
 * Lobsters: the text `about` of the account, Markdown as it was written. There is no number of an account, so the time
 * at which it was made stands for it. Source: lobsters/lobsters, app/models/user.rb (`as_json`, `VALID_USERNAME`).
 */
const LOBSTERS: DescribedText = {
  platform: 'lobsters',
  publishes: 'record',
  guide: {
    label: 'Lobsters',
    profileUrls: ['https://lobste.rs/~{identity}', 'https://lobste.rs/u/{identity}'],
    postUrl: 'https://lobste.rs/~{identity}',
    identityExample: 'alice_demo',
    locationForms: [],
    steps: [
      'Ask for a payload with your name on Lobsters as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into About in your settings, and save it.',
      'Submit the proof without proof_location, and keep the text as long as the proof shall stay valid.',
    ],
  },
  rates: { requests: 1, seconds: 2 }, // none is published; the site is small
  base: PLATFORM_DEFAULTS.lobsters.base,
  path: ({ user }) => `/~${encodeURIComponent(user)}.json`,
  texts: ['about'],
  format: 'plain',
  id: 'created_at',
  name: 'username',
  absent: [404],
  nameIn: ({ host, path: [first = '', second] }) => {
    if (host !== 'lobste.rs') return null;
    return first.startsWith('~') ? first.slice(1) : first === 'u' ? (second ?? null) : null;
  },
};

/** Reads the text about of accounts on Lobsters. */
export const LobstersVerifier = verifierFor(LOBSTERS);
