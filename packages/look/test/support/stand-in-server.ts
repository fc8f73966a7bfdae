import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { WebTransport } from '../../src/node/web-transport.js';
import { type Certificate, testAuthority } from './certificates.js';
import { connectorTo } from './led-connector.mjs';

/** What a stand-in was asked. */
export interface StandInRequest {
  method: string;
  /** Path without the query, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  /** Lowercase names. */
  headers: Record<string, string>;
  /** The body as UTF-8 text, and as the bytes that arrived. */
  body: string;
  bytes: Buffer;
}

export interface PlainReply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string | string[]>;
  /** One of these three, or none for an empty body. `json` brings its content type. */
  json?: unknown;
  text?: string;
  bytes?: Uint8Array;
}

/** Writes the answer itself; for whatever a well-behaved server would not do. */
export type RawReply = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * `hang` never answers; `cut` closes the connection without a word. A promise delays the answer until the test resolves
 * it.
 */
export type StandInReply = PlainReply | RawReply | 'hang' | 'cut';

export type StandInHandler = (request: StandInRequest) => StandInReply | Promise<StandInReply>;

export interface StandInOptions {
  /**
   * True: HTTPS with a certificate of the test authority for whatever name is asked. Or one certificate for all names.
   */
  tls?: boolean | Certificate;
}

/** A running server on loopback. */
export interface StandIn {
  /** `http://127.0.0.1:<port>` or `https://127.0.0.1:<port>`, without a slash at the end. */
  baseUrl: string;
  port: number;
  /** All requests so far, oldest first. */
  requests: StandInRequest[];
  /** Connections that were opened so far. */
  readonly connections: number;
  /** Takes effect from the next request on. */
  handle(handler: StandInHandler): void;
  /** Cuts what is still open. */
  close(): Promise<void>;
}

/** Public, never contacted: what the names of stand-ins seem to resolve to. */
const STAND_IN_ADDRESS = '93.184.215.14';

/** A JSON answer. */
export function jsonReply(json: unknown, status = 200, headers: Record<string, string> = {}): PlainReply {
  return { status, json, headers };
}

/** A text answer; give another content type for HTML. */
export function textReply(text: string, status = 200, contentType = 'text/plain; charset=utf-8'): PlainReply {
  return { status, text, headers: { 'content-type': contentType } };
}

/** Announces a body, sends `start`, and closes the connection. */
export function cutMidBody(start = '{"a":', contentType = 'application/json'): RawReply {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType, 'content-length': start.length + 1000 });
    response.write(start, () => response.destroy());
  };
}

/** Sends one byte of a never-ending body every `everyMs` milliseconds. */
export function slowDrip(everyMs: number, contentType = 'application/json'): RawReply {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    const timer = setInterval(() => response.write(' '), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

/** Sends spaces as fast as they are taken, without an end. */
export function endlessBody(contentType = 'application/json'): RawReply {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    const chunk = Buffer.alloc(16 * 1024, ' ');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
}

/** A JSON text of `bytes` bytes with its true Content-Length. */
export function hugeBody(bytes: number): PlainReply {
  return { text: `"${'a'.repeat(bytes - 2)}"`, headers: { 'content-type': 'application/json' } };
}

/** Writes exactly these bytes to the socket, status line included; the connection stays open unless `end` is set. */
export function socketReply(bytes: string | Uint8Array, { end = false } = {}): RawReply {
  return (_response, { socket }) => {
    if (end) socket.end(bytes);
    else socket.write(bytes);
  };
}

/**
 * Starts a server on a free port of 127.0.0.1 that answers with `handler`.
 *
 * A handler that throws is a defect of the test: it is answered with 599, which no platform sends.
 */
export async function startStandIn(handler: StandInHandler, { tls = false }: StandInOptions = {}): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let current = handler;
  const listener: RequestListener = (incoming, response) => {
    void readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        writeReply(await current(request), incoming, response);
      })
      .catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(599);
        response.end(String(error));
      });
  };
  const server = tls ? createHttpsServer(await tlsOptions(tls), listener) : createHttpServer(listener);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    handle: (next) => {
      current = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A transport in which `names` (over https, port 443) lead to this stand-in, and no other name leads anywhere. */
export function connectTo(standIn: StandIn, names: string[]): Promise<WebTransport> {
  return connectNames(Object.fromEntries(names.map((name) => [name, standIn])));
}

/**
 * A transport to several stand-ins. Every name resolves to a public address of its own, so the guard judges it as it
 * would any other; only an address that passed is then exchanged for the socket of the stand-in. Loopback base URLs of
 * the operator are left alone.
 */
export async function connectNames(hosts: Record<string, StandIn>): Promise<WebTransport> {
  const names = Object.keys(hosts);
  const prefix = STAND_IN_ADDRESS.slice(0, STAND_IN_ADDRESS.lastIndexOf('.') + 1);
  return {
    certificateAuthority: (await testAuthority()).root,
    lookup: async (hostname) => {
      const index = names.indexOf(hostname);
      if (index < 0) throw new Error(`the test knows no host ${hostname}`);
      return [`${prefix}${index + 1}`];
    },
    connector: connectorTo((address, port) => {
      if (address === '127.0.0.1') return { host: address, port };
      const standIn = hosts[names[Number(address.slice(prefix.length)) - 1] ?? ''];
      if (!standIn) throw new Error(`the test knows no address ${address}`);
      return { host: '127.0.0.1', port: standIn.port };
    }),
  };
}

/** Made once in each test file: keys and certificates take more time than what most stand-ins answer. */
const contexts = new Map<string, Promise<SecureContext>>();
let ofLoopback: Promise<Certificate> | undefined;

async function contextFor(name: string): Promise<SecureContext> {
  const { certificate, key } = await (await testAuthority()).issue([name]);
  return createSecureContext({ cert: certificate, key });
}

async function tlsOptions(tls: true | Certificate): Promise<object> {
  if (tls !== true) return { cert: tls.certificate, key: tls.key };
  ofLoopback ??= testAuthority().then((authority) => authority.issue(['127.0.0.1', 'localhost']));
  const { certificate: cert, key } = await ofLoopback;
  return {
    cert,
    key,
    SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
      const context = contexts.get(name) ?? contextFor(name);
      contexts.set(name, context);
      context.then(
        (ready) => done(null, ready),
        (error: Error) => done(error),
      );
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<StandInRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const url = new URL(incoming.url ?? '/', 'http://stand-in');
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body: bytes.toString('utf8'),
    bytes,
  };
}

function writeReply(reply: StandInReply, incoming: IncomingMessage, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'cut') {
    incoming.socket.destroy();
    return;
  }
  if (typeof reply === 'function') {
    reply(response, incoming);
    return;
  }
  const { status = 200, headers = {}, json, text, bytes } = reply;
  const body = json === undefined ? (bytes ?? text ?? '') : JSON.stringify(json);
  const type = json === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}
