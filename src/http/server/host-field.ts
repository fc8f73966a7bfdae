import type { IncomingMessage } from 'node:http';

/** `uri-host [ ":" port ]` of RFC 9110, 7.2, with the characters of RFC 3986, 3.2.2; an empty one is allowed. */
const HOST = /^(\[[0-9a-z:.%_~-]+\]|([a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})*)(:\d*)?$/i;

/**
 * Returns why a request is refused for its field `Host`, or null. RFC 9112, 3.2: any request with several of them, with
 * an invalid one, or of HTTP/1.1 without one is answered with 400. Node keeps the first of several.
 */
export function hostProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.1' ? 'A request of HTTP/1.1 needs the header Host.' : null;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return 'A request may have one header Host.';
  return HOST.test(host) ? null : 'The header Host must be a host with an optional port.';
}
