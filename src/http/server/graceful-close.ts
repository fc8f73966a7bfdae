import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two checks for new connections, and how many checks in a row must find none. */
const CHECK_MS = 10;
const QUIET_CHECKS = 20;
/** Checks after which the listener closes although connections still arrive: a second. */
const MAX_CHECKS = 100;
/** Milliseconds between two sweeps of the connections that still keep a closing server open. */
const SWEEP_MS = 100;
/** Milliseconds that a new connection gets for its first request while the server closes. */
const FIRST_REQUEST_MS = 1000;

interface OpenConnection {
  /** Milliseconds of `performance.now()`. */
  since: number;
  running: number;
  wasAsked: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    gracefulClose: GracefulClose;
  }
}

/**
 * Closes a server without resetting connections. Two things can reset one: Linux resets the connections that still wait
 * in the queue of a listener when it closes, and a client may send a request on a kept connection while the server
 * closes it. Four steps avoid both:
 *
 * 1. `announce`: answers carry `Connection: close`, so clients close their connections. The listener still accepts.
 * 2. `untilQuiet`: answers are held back. A client opens a new connection only after its answer, so after about two
 * hundred milliseconds no new connection arrives. A busy machine may take longer.
 * 3. `closeListener`: the listener closes while its queue is empty.
 * 4. `finish`: the held answers are sent. Processes that share a listener send them after all of them have closed it.
 *
 * Afterwards the server only waits for running requests. Node alone would also wait for connections without a request,
 * up to its time limits.
 */
export class GracefulClose {
  private readonly connections = new Map<Socket, OpenConnection>();
  private accepted = 0;
  /** Whether an answer needs `Connection: close`. */
  isClosing = false;
  private held: Promise<void> | null = null;
  private release: () => void = () => {};
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.connections.set(socket, { since: performance.now(), running: 0, wasAsked: false });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      const connection = this.connections.get(socket);
      if (!connection) return;
      connection.wasAsked = true;
      connection.running += 1;
      response.once('close', () => (connection.running -= 1));
    });
  }

  /** Settles when an answer may be sent. */
  async mayAnswer(): Promise<void> {
    await this.held;
  }

  announce(): void {
    this.isClosing = true;
  }

  /** Holds answers back and waits until no connection arrives, for a second at most. `finish` must follow. */
  async untilQuiet(): Promise<void> {
    this.announce();
    this.held ??= new Promise((resolve) => (this.release = resolve));
    let quiet = 0;
    for (let check = 0; check < MAX_CHECKS && quiet < QUIET_CHECKS; check += 1) {
      const before = this.accepted;
      // Node accepts one connection in each turn of its event loop, and the turn ends behind that.
      await delay(CHECK_MS);
      await nextTurn();
      quiet = this.accepted === before ? quiet + 1 : 0;
    }
  }

  /** Accepts no connection any more; may be called again. */
  closeListener(): void {
    this.announce();
    if (this.server.listening) this.server.close();
  }

  /** Sends the held answers, with the listener closed; may be called again. */
  finish(): void {
    this.closeListener();
    this.release();
    this.held = null;
    this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /** Ends connections on which no request runs or is about to arrive. */
  private sweep(): void {
    const youngest = performance.now() - FIRST_REQUEST_MS;
    for (const [socket, { running, wasAsked, since }] of this.connections) {
      if (running === 0 && (wasAsked || since < youngest)) socket.destroySoon();
    }
    if (this.connections.size === 0) clearInterval(this.sweeper);
  }
}
