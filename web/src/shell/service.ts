/** Where the service is. Apart from its client (api.ts), which the first view does not need. */

/** Stands for the origin where the fixed views are rendered, at build time, which asks nobody. */
const NO_ORIGIN = 'https://signet.invalid';
const CONFIGURED = import.meta.env.SSR
  ? ''
  : (document.querySelector<HTMLMetaElement>('meta[name="signet-api"]')?.content ?? '');

/** Where the service is: the page's own origin, unless it was built with API_URL. */
export const API_URL = CONFIGURED || (import.meta.env.SSR ? NO_ORIGIN : location.origin);

/** An address of the service for a link: a path where the service is on the page's own origin. */
export function serviceLink(path: string): string {
  return CONFIGURED + path;
}

/** Where people report abuse, as the document says; `''` where the operator names nothing. */
export const ABUSE_LINK = import.meta.env.SSR
  ? ''
  : (document.querySelector<HTMLMetaElement>('meta[name="signet-abuse"]')?.content ?? '');
