import { Inject, Injectable } from '@nestjs/common';
import { bulkhead, type BulkheadPolicy, isBulkheadRejectedError, isTaskCancelledError } from 'cockatiel';
import type { EntityManager } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { OverloadedError } from '../domain/domain-errors.js';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';
import { EventRelay } from './event-relay.js';

/** Milliseconds that a change may take once everything was checked: some inserts and one commit. */
const CHANGE_MS = 6000;
/**
 * The part of the connections that may wait for the append lock, or hold it. The others go on with reads, key-value
 * content and probes when it is not to be had.
 */
const APPENDING_PART = 0.4;
/** Submits that may wait for one of these connections, and the milliseconds after which they give up. */
const MAX_WAITING = 1000;
const LONGEST_WAIT_MS = 5000;

/**
 * Writes domain events as rows in the transaction of the change: a rolled-back change is never announced and a
 * committed one is never forgotten. Rows are written without a position; the relay gives it after the commit
 * (docs/design/decisions.md 8).
 */
@Injectable()
export class EventStore {
  private readonly appends: BulkheadPolicy;

  constructor(
    private readonly transactions: WriteTransactions,
    private readonly relay: EventRelay,
    @Inject(OPEN_DATABASE) { poolSize }: OpenDatabase,
  ) {
    this.appends = bulkhead(Math.max(1, Math.floor(APPENDING_PART * poolSize)), MAX_WAITING);
  }

  /** Runs a change that records events in one transaction, and wakes the relay once it is committed. */
  async transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const result = await this.transactions.run(work, { totalMs: CHANGE_MS });
    this.relay.wake();
    return result;
  }

  /**
   * The same for a change that adds a link, and so takes the append lock.
   * @throws OverloadedError if too many of them wait on this server, or one has waited too long.
   */
  async appending<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    try {
      return await this.appends.execute(() => this.transaction(work), AbortSignal.timeout(LONGEST_WAIT_MS));
    } catch (error) {
      if (!isBulkheadRejectedError(error) && !isTaskCancelledError(error)) throw error;
      throw new OverloadedError('Too many links wait to be recorded; try again shortly.', { cause: error });
    }
  }

  /** Adds one event to the transaction of `manager`. */
  async record<Name extends DomainEventName>(
    manager: EntityManager,
    name: Name,
    payload: DomainEvents[Name],
  ): Promise<void> {
    await manager.query('insert into domain_event (name, payload) values ($1, $2)', [name, JSON.stringify(payload)]);
  }
}
