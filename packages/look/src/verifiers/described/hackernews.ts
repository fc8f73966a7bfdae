import { PLATFORM_DEFAULTS } from '../../options/options.js';
import type { DescribedText } from './described-text.js';
import { verifierFor } from './described.verifier.js';

/**
 * Hacker News: the field `about` of the account, which is HTML. Letter case is part of a name; no name is given away
 * again. Source: HackerNews/API, "Users".
 */
const HACKERNEWS: DescribedText = {
  platform: 'hackernews',
  publishes: 'record',
  guide: {
    label: 'Hacker News',
    profileUrls: ['https://news.ycombinator.com/user?id={identity}'],
    postUrl: 'https://news.ycombinator.com/user?id={identity}',
    identityExample: 'alice_demo',
    locationForms: [],
    steps: [
      'Ask for a payload with your name on Hacker News as identity, letter case included, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into the field about of your profile, and update it.',
      'Submit the proof without proof_location, and keep the text as long as the proof shall stay valid.',
    ],
  },
  rates: { requests: 10, seconds: 1 }, // "There is currently no rate limit"
  base: PLATFORM_DEFAULTS.hackernews.base,
  path: ({ user }) => `/v0/user/${encodeURIComponent(user)}.json`,
  texts: ['about'],
  noText: 'absent',
  format: 'html',
  id: 'id',
  name: 'id',
  absent: [],
  isNullAbsent: true,
  nameIn: ({ host, path }, written) =>
    host === 'news.ycombinator.com' && path[0] === 'user' ? (/[?&]id=([^&#]+)/.exec(written)?.[1] ?? null) : null,
};

/** Reads the field about of accounts on Hacker News. */
export const HackernewsVerifier = verifierFor(HACKERNEWS);
