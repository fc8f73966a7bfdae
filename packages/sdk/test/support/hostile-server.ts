/** A server on loopback that answers without end. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** How an answer goes on for ever. */
export type Endless = 'plain' | 'chunked' | 'gzip' | 'line' | 'event' | 'drip';

export interface HostileServer {
  baseUrl: string;
  /** Requests so far. */
  requests: number;
  /** Answers that are still written. */
  readonly open: number;
  close(): Promise<void>;
}

const BLANKS = Buffer.alloc(64 * 1024, ' ');
const HEAD = {
  plain: { 'content-type': 'application/json', 'content-length': String(2 ** 40) },
  chunked: { 'content-type': 'application/json' },
  gzip: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  line: { 'content-type': 'text/event-stream' },
  event: { 'content-type': 'text/event-stream' },
  drip: { 'content-type': 'application/json' },
};

/** Answers every request in the way that `kindOf` says, with this status. */
export async function startHostileServer(kindOf: (path: string) => Endless, status = 200): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let open = 0;
  const server = createServer((request, response) => {
    hostile.requests += 1;
    const { url = '/' } = request;
    const kind = kindOf(url);
    response.writeHead(status, url.startsWith('/v1/events') ? HEAD.event : HEAD[kind]);
    open += 1;
    response.on('close', () => (open -= 1));
    response.on('error', () => {});
    void writeOn(response, kind).catch(() => {});
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hostile = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    get open() {
      return open;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return hostile;
}

/** Writes as fast as the reader reads, until it goes away. */
async function writeOn(response: ServerResponse, kind: Endless): Promise<void> {
  if (kind === 'drip') {
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
    return;
  }
  const parts = Readable.from(endless(kind));
  await (kind === 'gzip' ? pipeline(parts, createGzip({ level: 1 }), response) : pipeline(parts, response));
}

function* endless(kind: Endless): Generator<Buffer> {
  if (kind === 'line') yield Buffer.from('data: ');
  const part = kind === 'event' ? Buffer.from(`data: ${'x'.repeat(1000)}\n`.repeat(64)) : BLANKS;
  for (;;) yield part;
}
