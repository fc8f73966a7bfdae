import { escaped } from '../http/markup.js';

export interface FrontPageFacts {
  serviceName: string;
  environment: string;
  /** Platforms on which a create can work now. */
  platforms: string[];
  /** Where people report abuse, as a link; null where the operator names nothing. */
  abuseLink: string | null;
}

const ABOUT =
  'Signet proves, in public, which accounts and wallets belong to one key, and keeps JSON that only the owner of that key can change.';

/** Addresses on this server, so that nothing on the page leads elsewhere. */
const LINKS = {
  api_page: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  platforms: '/v1/platforms',
  health: '/healthz',
};

/** The policy under which the list for people is shown. */
export const FRONT_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /` for programs: a description of the service, and links. */
export function frontPageJson({ serviceName, environment, platforms, abuseLink }: FrontPageFacts): object {
  const links = { ...LINKS, ...(abuseLink !== null && { report_abuse: abuseLink }) };
  return { name: 'Signet', service_name: serviceName, environment, about: ABOUT, platforms, links };
}

/**
 * `GET /` for people where the page is not served: the same as a short list.
 * Names of platforms and the service hold only letters, digits, `_` and `-`, so nothing else has to be escaped.
 */
export function frontPageHtml({ serviceName, environment, platforms, abuseLink }: FrontPageFacts): string {
  const list = platforms.map((platform) => `<li><code>${platform}</code></li>`).join('');
  const abuse = abuseLink === null ? '' : `\n      <li><a href="${escaped(abuseLink)}">Report abuse</a></li>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Signet (${serviceName})</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
      ul.platforms { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; }
      ul.platforms li { border: 1px solid #94a3b8; border-radius: .4rem; padding: .1rem .5rem; }
    </style>
  </head>
  <body>
    <h1>Signet</h1>
    <p>${ABOUT}</p>
    <p>This server goes by the name <code>${serviceName}</code> (${environment}). It can check these platforms now:</p>
    <ul class="platforms">${list}</ul>
    <ul>
      <li><a href="${LINKS.api_page}">API page</a>, where every request can be tried</li>
      <li><a href="${LINKS.openapi}">OpenAPI description</a>, for programs</li>
      <li><a href="${LINKS.platforms}">What each platform needs</a>, step by step</li>
      <li><a href="${LINKS.health}">Health check</a></li>${abuse}
    </ul>
    <p>The guides for developers and operators are in the folder <code>docs</code> of the source code.</p>
  </body>
</html>
`;
}
