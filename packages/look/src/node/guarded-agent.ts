import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './address-guard.js';
import { askDns, askSystem } from './name-lookup.js';
import { WebFailure } from '../web/web-failure.js';
import type { WebRequest } from '../web/web-request.js';
import type { WebLimits, WebTransport } from './web-transport.js';

type Trust = WebRequest['trust'];

/** A host with more addresses than this gets no further attempts. */
const MAX_ATTEMPTS = 4;

/** Idle connections are dropped sooner than any usual server drops them, so that none dies under a request. */
const KEEP_ALIVE_MS = 4_000;

/**
 * The pool of connections for one kind of host. Names are resolved inside connecting, once per connection; every
 * address is judged, and the socket goes to a judged address, while SNI, certificate check and Host keep the name. So a
 * name cannot point elsewhere between check and use (DNS rebinding). The proxy variables of the settings have no
 * effect here.
 */
export function createGuardedAgent(
  trust: Trust,
  connections: number,
  transport: WebTransport,
  limits: WebLimits,
): Agent {
  return new Agent({
    connect: guardedConnector(trust, transport, limits),
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: limits.headerBytes,
    // The watchdog of a request (watchdog.ts) ends it by the same limits, to the millisecond. They are repeated because
    // undici's own, of five minutes, would otherwise be the second line behind it.
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
  });
}

/** undici's connector over judged addresses. What it fails with is a WebFailure (`unreachable`). */
function guardedConnector(trust: Trust, transport: WebTransport, { connectMs }: WebLimits): buildConnector.connector {
  const make = transport.connector as typeof buildConnector | undefined;
  const open = (make ?? buildConnector)({
    lookup: judgedLookup(trust, transport.lookup ?? (trust === 'user' ? askDns : askSystem)),
    // An address that swallows packets leaves time for the ones after it.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(connectMs / MAX_ATTEMPTS),
    timeout: connectMs,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    // Each handshake sees the certificate.
    maxCachedSessions: 0,
    ...(transport.certificateAuthority === undefined ? {} : { ca: transport.certificateAuthority }),
  });
  return (options, callback) => {
    const { hostname } = options;
    const fail = (cause: Error) => callback(unreachable(`no connection to ${hostname}`, cause), null);
    // Of an address that stands in place of a name, nothing is looked up.
    if (trust === 'user' && isIP(hostname) && !isPublicAddress(hostname)) return fail(notPublic(hostname));
    let isOver = false;
    // The time limit of undici is exact to a second only.
    const timer = setTimeout(() => {
      isOver = true;
      fail(new Error('connecting took too long'));
    }, connectMs);
    open(options, (error, socket) => {
      clearTimeout(timer);
      if (isOver) socket?.destroy();
      else if (error) fail(error);
      else callback(null, socket!);
    });
  };
}

/**
 * Looks names up for sockets: the first addresses of a host, IPv4 first. Fails with a WebFailure `unreachable` if there
 * is none, or if a user chose the host and a single one of its addresses is not public.
 */
function judgedLookup(trust: Trust, ask: (hostname: string) => Promise<string[]>): LookupFunction {
  const judged = async (hostname: string) => {
    const addresses = await ask(hostname);
    if (addresses.length === 0) throw unreachable(`${hostname} has no address`);
    if (trust === 'user' && !addresses.every(isPublicAddress)) throw notPublic(hostname);
    return addresses.toSorted((a, b) => isIP(a) - isIP(b)).slice(0, MAX_ATTEMPTS);
  };
  return (hostname, _options, callback) => {
    judged(hostname).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: Error) => callback(error, []),
    );
  };
}

function notPublic(hostname: string): WebFailure {
  return unreachable(`${hostname} has an address that is not public`);
}

function unreachable(detail: string, cause?: Error): WebFailure {
  return new WebFailure('unreachable', detail, cause && { cause });
}
