import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../config/environment.js';
import { clientNetwork } from '../http/client-address.js';
import { Slots } from '../web/slots.js';
import { WebFailure } from '../web/web-failure.js';
import { chargeOf, type RouteClass } from './rate-limit-classes.js';

/**
 * Classes whose requests may keep a connection for long, with the part of all connections that they may use together.
 * Reads by key take milliseconds; what waits for a lock is bounded where links and patches are appended, and streams
 * share one reader.
 */
const SHARES: Partial<Record<RouteClass, number>> = { searches: 1 / 4, admin: 1 / 4 };

/** Requests that wait for one slot; more would not be served in time. */
const WAITING_PER_SLOT = 25;

/**
 * Bounds what one class of requests takes of the connections to the database, so that however many searches come, and
 * from however many addresses, reads, writes and health checks find a connection. Clients that wait are served in
 * rotation.
 */
export class ClassSlots {
  private readonly slots: Map<RouteClass, Slots>;

  constructor(private readonly environment: Environment) {
    const shares = Object.entries(SHARES) as [RouteClass, number][];
    this.slots = new Map(shares.map(([name, share]) => [name, this.slotsFor(share)]));
  }

  /**
   * Waits until the request may go on, and keeps its slot until its answer is sent.
   * @returns why it may not, or null
   */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const { method, query } = request;
    const charge = chargeOf({ method, route: request.routeOptions.url, query }, this.environment.SERVICE_NAME);
    const slots = charge && this.slots.get(charge.name);
    if (!slots) return null;
    try {
      const release = await slots.take(this.environment.MAX_POOL_WAIT_MS, clientNetwork(request.ip));
      if (reply.raw.closed) release();
      else reply.raw.once('close', release);
      return null;
    } catch (error) {
      if (!(error instanceof WebFailure)) throw error;
      return `too many ${charge.name} wait already`;
    }
  }

  private slotsFor(share: number): Slots {
    const running = Math.max(1, Math.floor(this.environment.DATABASE_POOL_SIZE * share));
    return new Slots({ running, waiting: running * WAITING_PER_SLOT });
  }
}
