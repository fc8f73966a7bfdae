import { cleanPasted } from '@signet/verify/internal';

const MAX_LENGTH = 2048; // far above any permalink

/** A web address as people paste it. */
export interface PastedUrl {
  /** Lowercase ASCII, without a port. */
  host: string;
  /** The parts of the path between slashes, still percent-encoded; empty ones left out. */
  path: string[];
}

/**
 * Reads a pasted http or https address, with or without its scheme, cleaned by `cleanPasted`. Null for anything
 * else, and for addresses with a user name or another port: no permalink has them. The result only serves to find ids;
 * nothing is ever fetched from it.
 */
export function parsePastedUrl(text: string): PastedUrl | null {
  const pasted = cleanPasted(text);
  if (pasted.length > MAX_LENGTH || /[\s\\]/.test(pasted)) return null;
  const url = tryParse(/^[a-z][a-z0-9+.-]*:\/\//i.test(pasted) ? pasted : `https://${pasted}`);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  return { host: url.hostname, path: url.pathname.split('/').filter((part) => part !== '') };
}

function tryParse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
