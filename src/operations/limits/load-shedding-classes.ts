import type { FastifyReply, FastifyRequest } from 'fastify';
import { BusyError, Slots } from '../../concurrency/slots.js';
import type { Environment } from '../../config/environment.js';
import { clientNetwork } from '../../http/server/client-address.js';
import { chargeOfRequest, type RouteClass } from './rate-limit-classes.js';

/** Requests for documents at the same time; they share one reader or need no database. */
const DOCUMENTS_RUNNING = 16;
/** Requests that wait for one slot; more would not be served in time. */
const WAITING_PER_SLOT = 25;

/**
 * Bounds how many requests of one class run at the same time, so that however many searches come, and from however many
 * addresses, the other classes find a connection to the database. Clients that wait are served in rotation.
 *
 * The other classes are bounded where they ask the database (`database/connections/connection-shares.ts`): most reads
 * share their statements, a submit waits for platforms and not for the database, changes are recorded by one
 * transaction at a time, and streams share their readers.
 */
export class ClassSlots {
  private readonly slots: Partial<Record<RouteClass, Slots>>;
  private readonly releases = new WeakMap<FastifyRequest, () => void>();

  constructor(private readonly environment: Environment) {
    const { DATABASE_POOL_SIZE, DATABASE_URL } = environment;
    const connections = DATABASE_URL === undefined ? 1 : DATABASE_POOL_SIZE;
    const slots = (running: number) => new Slots({ running, waiting: running * WAITING_PER_SLOT });
    // The part of the connections that requests of a class may use together: each uses one for as long as it runs.
    const share = (part: number) => slots(Math.max(1, Math.floor(connections * part)));
    this.slots = { searches: share(0.2), admin: share(0.1), documents: slots(DOCUMENTS_RUNNING) };
  }

  /**
   * Waits until the request may go on. The request keeps its slot until `leave`, or until its connection is gone.
   * @returns why the request is refused, or null
   */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const charge = chargeOfRequest(request, this.environment.SERVICE_NAME);
    const slots = charge && this.slots[charge.name];
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
