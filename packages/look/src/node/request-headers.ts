import type { WebRequest } from '../web/web-request.js';

/** Written by the client itself, or never sent at all. */
const RESERVED = new Set(
  'accept-encoding connection content-length cookie expect host keep-alive origin referer te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * The headers of a request as they are sent, in lowercase. Only gzip is offered, since only gzip is read.
 * @throws Error if a caller sets a reserved header, or a credential for a host that a user chose: bugs of the caller
 */
export function requestHeaders(
  { trust, headers = {} }: WebRequest,
  url: URL,
  userAgent: string,
): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of given) {
    if (RESERVED.has(name) || name.startsWith('proxy-'))
      throw new Error(`The header ${name} is not for callers to set.`);
    if (name === 'authorization' && trust !== 'operator' && !isOfThisHostAlone(value))
      throw new Error('Credentials never go to a host that a user chose.');
  }
  return { 'user-agent': userAgent, ...credentialsOf(url), ...Object.fromEntries(given), 'accept-encoding': 'gzip' };
}

/** A token of VAPID (RFC 8292): signed for the origin that gets it, it opens nothing anywhere. */
function isOfThisHostAlone(credentials: string): boolean {
  return /^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]+$/.test(credentials);
}

/** An operator's base URL may hold a name and a password; the guard has refused them in all others. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}
