import type { FastifyReply, FastifyRequest } from 'fastify';
import { DOCUMENT_SLOTS, ROUTE_CLASSES } from '../../bounds/bounds.js';
import { type RefusalCounter, TooManyWaitError } from '../../bounds/refusal-counter.js';
import { type Release, Slots } from '../../concurrency/slots.js';
import type { Environment } from '../../config/environment.js';
import type { ConnectionPool } from '../../database/connections/connection-pool.js';
import { clientNetwork } from '../../http/server/client-address.js';
import { chargeOf } from '../../http/server/served-as.js';

/**
 * Bounds how many requests of one class run at the same time. A flood of searches, from one address or many, leaves
 * connections to the database for the other classes. Clients that wait are served in rotation.
 *
 * Searches and admin calls take their share of the pool (`POOL_SHARES`) here, for as long as they run. The other
 * classes are bounded where they ask the database: most reads share statements, a submit mainly waits for platforms,
 * one transaction at a time records changes, and streams share their readers.
 */
export class ClassSlots {
  private readonly documents: Slots;
  private readonly releases = new WeakMap<FastifyRequest, () => void>();

  constructor(
    private readonly environment: Environment,
    private readonly pool: ConnectionPool,
    refusals: RefusalCounter,
  ) {
    this.documents = new Slots(DOCUMENT_SLOTS, () => {
      refusals.count('documents');
      return new TooManyWaitError('documents');
    });
  }

  /**
   * Waits until the request may go on. The request keeps its slot until `leave`, or until its connection is gone.
   * @returns why the request is refused, or null
   */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const waits = this.slotFor(request);
    if (waits === null) return null;
    try {
      const release = await waits;
      this.releases.set(request, release);
      if (reply.raw.closed) release();
      else reply.raw.once('close', release);
      return null;
    } catch (error) {
      if (!(error instanceof TooManyWaitError)) throw error;
      return error.message;
    }
  }

  /** Frees the slot once the answer is made; a client that reads slowly does not keep others waiting. */
  leave(request: FastifyRequest): void {
    this.releases.get(request)?.();
  }

  private slotFor(request: FastifyRequest): Promise<Release> | null {
    const { refusedBy } = ROUTE_CLASSES[chargeOf(request, this.environment.SERVICE_NAME).name];
    const client = clientNetwork(request.ip);
    if (refusedBy.includes('documents')) return this.documents.acquire(this.environment.MAX_POOL_WAIT_MS, client);
    if (refusedBy.includes('pool_searches')) return this.pool.shares.take('searches', client);
    if (refusedBy.includes('pool_admin')) return this.pool.shares.take('admin', client);
    return null;
  }
}
