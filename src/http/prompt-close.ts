import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between two looks at what still keeps a closing server open. */
const SWEEP_MS = 100;

/**
 * Lets a closing server wait for running requests and for nothing else. By itself Node also waits, up to its time
 * limits, for connections on which nothing was asked yet and for those that are kept alive after a request that was
 * running when the server was closed.
 * @returns what to call when the server is about to close.
 */
export function watchConnections(server: Server): () => void {
  const runningRequests = new Map<Socket, number>();
  const count = (socket: Socket, change: number): void => {
    const running = runningRequests.get(socket);
    if (running !== undefined) runningRequests.set(socket, running + change);
  };
  server.on('connection', (socket: Socket) => {
    runningRequests.set(socket, 0);
    socket.once('close', () => runningRequests.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  return () => {
    const timer = setInterval(() => {
      if (server.listening) return;
      for (const [socket, running] of runningRequests) if (running === 0) socket.destroySoon();
      if (runningRequests.size === 0) clearInterval(timer);
    }, SWEEP_MS);
    timer.unref();
  };
}
