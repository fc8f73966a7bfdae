/** A server on loopback that answers without end, and a program that is watched while it reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
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
    const kind = kindOf(request.url ?? '/');
    response.writeHead(status, HEAD[kind]);
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

/** How a program ended. */
export interface WatchedRun {
  code: number | null;
  text: string;
  /** The most memory that it had at once, in MB. */
  peakMb: number;
  seconds: number;
}

const PEAK = fileURLToPath(new URL('peak-memory.mjs', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../cli/bin/signet.mjs', import.meta.url));
/** What a program may take that should have ended by itself. */
const LONGEST_MS = 40_000;

/** Runs `signet` as built, to its end or to SIGTERM after 40 seconds. */
export async function watchCommand(words: string[], env: Record<string, string> = {}): Promise<WatchedRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', PEAK, COMMAND, ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  const [code] = (await once(child, 'close')) as [number | null];
  const peakMb = Number(/peak-memory (\d+) KiB/.exec(text)?.[1]) / 1024;
  return { code, text, peakMb, seconds: (performance.now() - startedAt) / 1000 };
}
