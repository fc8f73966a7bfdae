import { PLATFORM_DEFAULTS } from '../../options/options.js';
import type { DescribedText } from './described-text.js';
import { verifierFor } from './described.verifier.js';

/**
 * ORCID: the public biography, or the name or address of a researcher's website, of a record. The iD is never given
 * away again. Source: ORCID/ORCID-Source, orcid-api-web/tutorial/read.md, and the schema of record 3.0.
 */
const ORCID: DescribedText = {
  platform: 'orcid',
  publishes: 'record',
  guide: {
    label: 'ORCID',
    profileUrls: ['https://orcid.org/{identity}'],
    postUrl: 'https://orcid.org/{identity}',
    identityExample: '0000-0002-1825-0097',
    locationForms: [],
    steps: [
      'Ask for a payload with your ORCID iD as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into the biography of your record, and let everyone see it. The title of a website does as well.',
      'Submit the proof without proof_location, and keep the text as long as the proof shall stay valid.',
    ],
  },
  rates: { requests: 10, seconds: 1 }, // "API limits": 12 requests a second
  base: PLATFORM_DEFAULTS.orcid.base,
  path: ({ user }) => `/v3.0/${encodeURIComponent(user)}/record`,
  texts: [
    'person.biography.content',
    'person.researcher-urls.researcher-url[].url-name',
    'person.researcher-urls.researcher-url[].url.value',
  ],
  noText: 'null',
  format: 'plain',
  id: 'orcid-identifier.path',
  name: 'orcid-identifier.path',
  absent: [404, 409],
  nameIn: ({ host, path: [name] }) => (['orcid.org', 'www.orcid.org'].includes(host) ? (name ?? null) : null),
};

/** Reads biographies and titles of websites of records at ORCID. */
export const OrcidVerifier = verifierFor(ORCID);
