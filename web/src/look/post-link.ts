/** Where people see the post behind a binding. */
import { fillAddress, type ProofRecord } from '@signet/sdk';
import { knownPlatform } from '../shell/platforms.js';

interface Posted extends Pick<ProofRecord, 'platform' | 'identity'> {
  /** As in the link that made it. */
  location: string;
}

/** The page of the post, or null where there is none that a link could lead to. */
export function postPage(posted: Posted): string | null {
  const page = fillAddress(knownPlatform(posted.platform)?.post_url, posted);
  return page ?? (isWebPage(posted.location) ? posted.location : null);
}

/** Whether a text that others wrote is an address that may be linked: one of https. */
export function isWebPage(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
