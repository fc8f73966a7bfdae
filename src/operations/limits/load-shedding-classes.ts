import type { FastifyReply, FastifyRequest } from 'fastify';
import { BusyError, Slots } from '../../concurrency/slots.js';
import type { Environment } from '../../config/environment.js';
import { clientNetwork } from '../../http/server/client-address.js';
import { chargeOfRequest, type RouteClass } from './rate-limit-classes.js';

/**
 * Classes whose requests run few at a time, with the part of the connections to the database that they may use
 * together: each of them uses one for as long as it runs. The other classes are bounded where they ask the database
 * (`database/connection-shares.ts`): most reads share their statements, a submit waits for platforms and not for the
 * database, changes are recorded by one transaction at a time, and streams share their readers.
 */
const SHARES: Partial<Record<RouteClass, number>> = { searches: 0.2, admin: 0.1 };

/** Requests at the same time, for classes whose requests share one reader or need no database. */
const RUNNING: Partial<Record<RouteClass, number>> = { documents: 16 };

/** Requests that wait for one slot; more would not be served in time. */
const WAITING_PER_SLOT = 25;

/**
 * Bounds how many requests of one class run at the same time, so that however many searches come, and from however many
 * addresses, the other classes find a connection to the database. Clients that wait are served in rotation.
 */
export class ClassSlots {
  private readonly slots: Map<RouteClass, Slots>;
  private readonly releases = new WeakMap<FastifyRequest, () => void>();

  constructor(private readonly environment: Environment) {
    const { DATABASE_POOL_SIZE, DATABASE_URL } = environment;
    const connections = DATABASE_URL === undefined ? 1 : DATABASE_POOL_SIZE;
    const bounds = [
      ...Object.entries(SHARES).map(([name, share]) => [name, Math.max(1, Math.floor(connections * share))]),
      ...Object.entries(RUNNING),
    ] as [RouteClass, number][];
    this.slots = new Map(
      bounds.map(([name, running]) => [name, new Slots({ running, waiting: running * WAITING_PER_SLOT })]),
    );
  }

  /**
   * Waits until the request may go on. The request keeps its slot until `leave`, or until its connection is gone.
   * @returns why the request is refused, or null
   */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const charge = chargeOfRequest(request, this.environment.SERVICE_NAME);
    const slots = charge && this.slots.get(charge.name);
    if (!slots) return null;
    try {
      const release = await slots.acquire(this.environment.MAX_POOL_WAIT_MS, clientNetwork(request.ip));
      this.releases.set(request, release);
      if (reply.raw.closed) release();
      else reply.raw.once('close', release);
      return null;
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      return `too many ${charge.name} wait already`;
    }
  }

  /** Frees the slot once the answer is made; a client that reads slowly does not keep others waiting. */
  leave(request: FastifyRequest): void {
    this.releases.get(request)?.();
  }
}
