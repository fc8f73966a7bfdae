import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Agent, type buildConnector } from 'undici';
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
 *
 * Weighed: undici's own connector with a `lookup` that judges addresses. A lookup cannot change the port, which the
 * stand-ins of the tests need (`WebTransport.connect`), so this connector judges addresses and opens sockets itself.
 */
export function createGuardedAgent(
  trust: Trust,
  connections: number,
  transport: WebTransport,
  limits: WebLimits,
): Agent {
  const connect: buildConnector.connector = (options, callback) => {
    openSocket(options, trust, transport, limits).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
  return new Agent({
    connect,
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

async function openSocket(
  { hostname, port, protocol }: buildConnector.Options,
  trust: Trust,
  transport: WebTransport,
  { connectMs }: WebLimits,
): Promise<Socket> {
  const endsAt = performance.now() + connectMs;
  const addresses = await resolvedIn(connectMs, resolve(hostname, trust, transport)).catch((cause: unknown) => {
    throw new WebFailure('unreachable', `${hostname} does not resolve to addresses that may be asked`, { cause });
  });
  const attempts = addresses.slice(0, MAX_ATTEMPTS);
  const secure = protocol === 'https:';
  let failure: unknown;
  for (const [index, address] of attempts.entries()) {
    const target = { address, port: Number(port) || (secure ? 443 : 80) };
    // An address that swallows packets leaves time for the ones after it.
    const attemptMs = (endsAt - performance.now()) / (attempts.length - index);
    try {
      const { host, port: socketPort } = transport.connect?.(target.address, target.port) ?? {
        host: address,
        port: target.port,
      };
      return await open(
        host,
        socketPort,
        secure ? { name: hostname, ca: transport.certificateAuthority } : null,
        attemptMs,
      );
    } catch (error) {
      failure = error;
    }
  }
  throw new WebFailure('unreachable', `no connection to ${hostname}`, { cause: failure });
}

/**
 * All addresses of a host, IPv4 first.
 * @throws WebFailure `unreachable` if there is none, or if a user chose the host and a single one of them is not
 *   public.
 */
async function resolve(hostname: string, trust: Trust, transport: WebTransport): Promise<string[]> {
  const ask = transport.lookup ?? (trust === 'user' ? askDns : askSystem);
  const addresses = isIP(hostname) ? [hostname] : await ask(hostname);
  if (addresses.length === 0) throw new WebFailure('unreachable', `${hostname} has no address`);
  if (trust === 'user' && !addresses.every(isPublicAddress)) {
    throw new WebFailure('unreachable', `${hostname} has an address that is not public`);
  }
  return addresses.toSorted((a, b) => isIP(a) - isIP(b));
}

/** What `names` resolves to, unless that takes longer than `ms` milliseconds. */
async function resolvedIn(ms: number, names: Promise<string[]>): Promise<string[]> {
  const late = new AbortController();
  const tooSlow = delay(ms, undefined, late).then(() => {
    throw new WebFailure('unreachable', 'resolving the name took too long');
  });
  // Once the name is resolved, this promise is not awaited any more.
  tooSlow.catch(() => {});
  try {
    return await Promise.race([names, tooSlow]);
  } finally {
    late.abort();
  }
}

/** Opens one socket, with the TLS handshake where `tls` is given, within `ms` milliseconds. */
function open(
  host: string,
  port: number,
  tls: { name: string; ca?: string | undefined } | null,
  ms: number,
): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = tls
      ? connectTls({
          host,
          port,
          ...(isIP(tls.name) ? {} : { servername: tls.name }),
          ...(tls.ca === undefined ? {} : { ca: tls.ca }),
          ALPNProtocols: ['http/1.1'],
          minVersion: 'TLSv1.2',
          rejectUnauthorized: true,
        })
      : connectPlain({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('connecting took too long')), ms);
    socket.setNoDelay(true);
    socket.on('error', fail); // stays, so that an error between here and the first request has a listener
    socket.on('close', () => clearTimeout(timer));
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      done(socket);
    });
  });
}
