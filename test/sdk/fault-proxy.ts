import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What happens to one request between client and server. */
export type Fault = 'none' | 'cut before' | 'cut after' | 'cut in the middle' | '429' | '503' | 'slow';

export interface FaultProxy {
  baseUrl: string;
  /** Where requests go; changed when a server is started anew. */
  target: string;
  /** Breaks every open connection. */
  cutAll(): void;
  close(): Promise<void>;
}

/** A proxy on loopback. `faultOf` chooses what happens; `change` may write the body of an answer anew. */
export async function startFaultProxy(
  target: string,
  faultOf: (path: string) => Fault = () => 'none',
  change: (path: string, body: string) => string = (_path, body) => body,
): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  // No connection is ended because it rests: a request that is sent on one in that moment gets no answer.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const fault = faultOf(path);
    if (fault === 'cut before') {
      incoming.socket.destroy();
      return;
    }
    if (fault === '429' || fault === '503') {
      refuse(outgoing, Number(fault));
      return;
    }
    const wait = fault === 'slow' ? 50 : 0;
    setTimeout(() => forward(proxy.target, incoming, outgoing, fault, change), wait);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    cutAll: () => sockets.forEach((socket) => socket.destroy()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'Retry-After': '0', 'Content-Type': 'application/json' });
  outgoing.end(JSON.stringify({ message: 'Not now.', code: status === 429 ? 'rate_limited' : 'overloaded' }));
}

function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault,
  change: (path: string, body: string) => string,
): void {
  const path = incoming.url ?? '/';
  const headers = { ...incoming.headers, host: new URL(target).host };
  const onward = request(`${target}${path}`, { method: incoming.method, headers, agent: false }, (answer) => {
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream');
    if (isStream) {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
      outgoing.on('close', () => answer.destroy());
      return;
    }
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('error', () => outgoing.destroy());
    answer.on('end', () => {
      if (fault === 'cut after') {
        incoming.socket.destroy();
        return;
      }
      const body = change(path, Buffer.concat(parts).toString());
      outgoing.writeHead(answer.statusCode!, {
        'content-type': String(answer.headers['content-type']),
        'content-length': Buffer.byteLength(body),
        // Pages of other origins may read what the service lets them read.
        'access-control-allow-origin': answer.headers['access-control-allow-origin'] ?? 'null',
      });
      if (fault === 'cut in the middle')
        outgoing.write(body.slice(0, body.length >> 1), () => incoming.socket.destroy());
      else outgoing.end(body);
    });
  });
  onward.on('error', () => incoming.socket.destroy());
  incoming.pipe(onward);
}
