import { WebFailure } from '../web/web-failure.js';
import type { WebReply, WebRequest } from '../web/web-request.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The request that a redirect asks for, or null if the reply is not a redirect. Another origin was chosen by the server
 * that answered, so it is treated as chosen by a user, and gets none of the headers that callers set but `accept`.
 * @throws WebFailure `refused` if the address makes no sense or leads from https to http
 */
export function redirectOf(request: WebRequest, { status, headers }: WebReply): WebRequest | null {
  const location = headers['location'];
  if (!REDIRECTS.has(status) || location === undefined) return null;
  if (!URL.canParse(location, request.url)) throw new WebFailure('refused', 'redirected to an invalid URL');
  const from = new URL(request.url);
  const to = new URL(location, from);
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    throw new WebFailure('refused', 'redirected away from https');
  if (from.origin === to.origin) return { ...request, url: to.href };
  const kept = Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() === 'accept');
  return { ...request, url: to.href, trust: 'user', headers: Object.fromEntries(kept) };
}
