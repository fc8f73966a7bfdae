import type { Filled } from '../../options/options.js';
import { PlatformMisconfiguredError } from '../../errors.js';
import { type Fetcher, RequestBudget } from '../../web/fetcher.js';
import type { DnsExchange } from './dns-chain.js';
import { readTxtReply, writeTxtQuery } from './dns-message.js';
import { isWireFormat, MAX_CHAIN_MS, MAX_CHAIN_REQUESTS, WIRE_FORMAT } from './dns-wire-format.js';
import { MAX_RESOLVERS, silent, type TxtResolver } from './dns-opinions.js';

const MAX_MESSAGE_BYTES = 65_535; // the length field of DNS over TCP has 16 bits
/** What is wrong with the option `servers`, for the operator. */
export const NO_ADDRESS = 'DNS_SERVERS (dns.servers) must be addresses of the form ip or ip:port.';

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

/** Resolvers as `txtResolvers`, for questions in wire format, which all share one bound of requests and time. */
export function dnsExchanges(web: Fetcher, options: Filled<'dns'>): DnsExchange[] {
  const { mode, dohUrls, servers, timeoutMs } = options;
  const budget = new RequestBudget(MAX_CHAIN_REQUESTS, Math.min(timeoutMs, MAX_CHAIN_MS));
  if (mode === 'doh') return dohUrls.slice(0, MAX_RESOLVERS).map((url) => (body) => sendWire(web, url, body, budget));
  const addresses = servers?.length ? servers.slice(0, MAX_RESOLVERS) : [undefined];
  return addresses.map((server) => async (message) => {
    try {
      return await web.systemDns!.exchange(message, { server, timeoutMs: budget.consume() });
    } catch (error) {
      throw silent(error);
    }
  });
}

/** DNS over HTTPS in wire format (RFC 8484). POST, because replies to GET may come from an HTTP cache. */
function overHttps(web: Fetcher, url: string): TxtResolver {
  return async (domain) => readTxtReply(await sendWire(web, url, writeTxtQuery(domain)), domain);
}

async function sendWire(web: Fetcher, url: string, body: Uint8Array, budget?: RequestBudget): Promise<Uint8Array> {
  const reply = await web.send({
    url,
    trust: 'operator',
    platform: 'dns',
    method: 'POST',
    headers: { 'content-type': WIRE_FORMAT, accept: WIRE_FORMAT },
    body,
    maxBytes: MAX_MESSAGE_BYTES,
    ...(budget && { budget }),
  });
  if (reply.status !== 200 || !isWireFormat(reply)) throw silent();
  return reply.body;
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
