import type { FastifyRequest } from 'fastify';

/** A name or an address of a host, and its port; any other `Host` is not repeated in links. */
const HOST = /^(?=.{1,255}$)([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * The origin of this server: PUBLIC_URL if it is set, otherwise the `Host` of the request, or null if that is not a
 * host. The scheme is `X-Forwarded-Proto` if a proxy is trusted and sends http or https. `X-Forwarded-Host` is not
 * read, because many proxies pass on the value of a client.
 */
export function originOf(
  { headers: { host = '' }, protocol }: Pick<FastifyRequest, 'headers' | 'protocol'>,
  publicUrl: string | undefined,
): string | null {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return HOST.test(host) ? `${protocol === 'https' ? 'https' : 'http'}://${host}` : null;
}
