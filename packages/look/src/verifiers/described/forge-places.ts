import { asciiLower } from '@signet/verify/names';
import { parsePastedUrl, type PastedUrl } from '../../posts/pasted-url.js';
import type { AskedAccount } from './described-text.js';

const PROJECT = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/;

/** `name@host` of the page of an account or of a project of it. */
export function nameOnForge({ host, path: [user, ...rest] }: PastedUrl): string | null {
  return user !== undefined && rest.length <= 1 ? `${user}@${host}` : null;
}

/** The name of a project of this account: itself, or its address; null for what is none. */
export function projectIn(written: string, { user, host }: AskedAccount): string | null {
  if (PROJECT.test(written) && !written.includes('/')) return written;
  const url = parsePastedUrl(written);
  const [owner = '', project = ''] = url?.path ?? [];
  const name = project.replace(/\.git$/, '');
  return url?.host === host && asciiLower(owner) === user && PROJECT.test(name) ? name : null;
}
