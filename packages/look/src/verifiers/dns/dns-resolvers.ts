import type { Filled } from '../../options/options.js';
import { PlatformMisconfiguredError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import { readTxtReply, writeTxtQuery } from './dns-message.js';
import { MAX_RESOLVERS, silent, type TxtResolver } from './dns-opinions.js';

const MAX_MESSAGE_BYTES = 65_535; // the length field of DNS over TCP has 16 bits
/** What is wrong with the option `servers`, for the operator. */
export const NO_ADDRESS = 'DNS_SERVERS (dns.servers) must be addresses of the form ip or ip:port.';
const WIRE_FORMAT = 'application/dns-message';

/** The one or two resolvers of the options, in their order. */
export function txtResolvers(web: Fetcher, options: Filled<'dns'>): TxtResolver[] {
  const { mode, dohUrls, servers, timeoutMs } = options;
  if (mode === 'doh') {
    return dohUrls.slice(0, MAX_RESOLVERS).map((url) => overHttps(web, url));
  }
  // The machine's own servers stand in for each other, so they are one resolver.
  if (!servers?.length) return [bySystem(web, timeoutMs)];
  return servers.slice(0, MAX_RESOLVERS).map((server) => bySystem(web, timeoutMs, server));
}

/** DNS over HTTPS in wire format (RFC 8484). POST, because replies to GET may come from an HTTP cache. */
function overHttps(web: Fetcher, url: string): TxtResolver {
  return async (domain) => {
    const reply = await web.send({
      url,
      trust: 'operator',
      platform: 'dns',
      method: 'POST',
      headers: { 'content-type': WIRE_FORMAT, accept: WIRE_FORMAT },
      body: writeTxtQuery(domain),
      maxBytes: MAX_MESSAGE_BYTES,
    });
    const type = reply.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (reply.status !== 200 || type !== WIRE_FORMAT) throw silent();
    return readTxtReply(reply.body, domain);
  };
}

/** The machine's own resolvers, or one of the option `servers`. */
function bySystem(web: Fetcher, timeoutMs: number, server?: string): TxtResolver {
  return async (domain) => {
    if (!web.systemDns) throw new PlatformMisconfiguredError('The resolvers of a machine cannot be asked from here.');
    if (server !== undefined && !web.systemDns.areAddresses([server])) throw new PlatformMisconfiguredError(NO_ADDRESS);
    try {
      return await web.systemDns.resolveTxt(domain, { server, timeoutMs });
    } catch (error) {
      throw silent(error);
    }
  };
}
