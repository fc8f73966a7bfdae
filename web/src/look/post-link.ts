/** Where people see the post behind a binding. Only addresses of https are ever linked. */
import type { ProofRecord } from '@signet/sdk';

interface Posted extends Pick<ProofRecord, 'platform' | 'identity'> {
  /** As in the link that made it. */
  location: string;
}

const PAGES: Record<string, (posted: Posted) => string> = {
  github: ({ identity, location }) => `https://gist.github.com/${part(identity)}/${part(location)}`,
  keybase: ({ identity }) => `https://keybase.io/${part(identity)}`,
  minds: ({ location }) => `https://www.minds.com/newsfeed/${part(location)}`,
  twitter: ({ identity, location }) => `https://x.com/${part(identity)}/status/${part(location)}`,
};

/** The page of the post, or null where there is none that a link could lead to. */
export function postPage(posted: Posted): string | null {
  const written = Object.hasOwn(PAGES, posted.platform) ? PAGES[posted.platform]!(posted) : posted.location;
  return isWebPage(written) ? written : null;
}

/** Whether a text is an address that may be linked. */
export function isWebPage(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}

function part(text: string): string {
  return encodeURIComponent(text);
}
