import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import type { Environment } from '../../../config/environment.js';
import { PlatformMisconfiguredError, PlatformUnavailableError } from '../../../domain/domain-errors.js';
import type { WebClient } from '../../../outbound/web-client.js';
import { readTxtReply, writeTxtQuery } from './dns-message.js';

/** Two opinions are enough; more would only make a disagreement likelier. */
const MAX_RESOLVERS = 2;
const MAX_MESSAGE_BYTES = 65_535; // the length field of DNS over TCP has 16 bits
const WIRE_FORMAT = 'application/dns-message';
const TRIES = 2; // per server of the system resolver

/**
 * The TXT records of a name as one resolver sees them: one text per record, its strings joined, bytes as Latin-1. Empty
 * if the name or the record does not exist.
 * @throws PlatformUnavailableError if the resolver gave no answer.
 */
export type TxtResolver = (domain: string) => Promise<string[]>;

/** The one or two resolvers of the settings, in their order. */
export function txtResolvers(web: WebClient, environment: Environment): TxtResolver[] {
  if (environment.DNS_MODE === 'doh') {
    return environment.DOH_URLS.slice(0, MAX_RESOLVERS).map((url) => overHttps(web, url));
  }
  const timeoutMs = environment.OUTBOUND_TIMEOUT_MS;
  // The machine's own servers stand in for each other, so they are one resolver.
  if (!environment.DNS_SERVERS?.length) return [bySystem(timeoutMs)];
  return environment.DNS_SERVERS.slice(0, MAX_RESOLVERS).map((server) => bySystem(timeoutMs, server));
}

/** Whether `servers` have the form `ip` or `ip:port` (`[ip]:port` for IPv6). */
export function areServerAddresses(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

/** DNS over HTTPS in wire format (RFC 8484). POST, because replies to GET may come from an HTTP cache. */
function overHttps(web: WebClient, url: string): TxtResolver {
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

/**
 * c-ares, which Node brings along, over UDP, and TCP where an answer is cut; asks exactly the name, without search
 * lists.
 */
function bySystem(timeoutMs: number, server?: string): TxtResolver {
  return async (domain) => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES });
    if (server !== undefined) useServer(resolver, server);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const records = await resolver.resolveTxt(domain);
      return records.map((strings) => strings.join(''));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === NOTFOUND || code === NODATA) return [];
      throw silent(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

function useServer(resolver: Resolver, server: string): void {
  try {
    resolver.setServers([server]);
  } catch (error) {
    throw new PlatformMisconfiguredError('DNS_SERVERS must be addresses of the form ip or ip:port.', { cause: error });
  }
}

function silent(cause?: unknown): PlatformUnavailableError {
  return new PlatformUnavailableError('A DNS resolver did not answer; try again later.', { cause });
}
