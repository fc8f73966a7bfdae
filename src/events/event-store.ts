import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type TransactionWork, type WriteOptions, WriteTransactions } from '../database/write-transactions.js';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';
import { TableColumns } from '../database/table-columns.js';
import { DomainEvent } from './domain-event.entity.js';
import { EventRelay } from './event-relay.js';

/** Milliseconds that a change may take once everything was checked: some inserts and one commit. */
const CHANGE_MS = 10_000;
/**
 * Writes domain events as rows in the transaction of the change: a rolled-back change is never announced and a
 * committed one is never forgotten. Rows are written without a position; the relay gives it after the commit
 * (docs/design/decisions.md 8).
 */
@Injectable()
export class EventStore {
  constructor(
    private readonly transactions: WriteTransactions,
    private readonly relay: EventRelay,
  ) {}

  /**
   * Runs a change that records events in one transaction, and wakes the relay once it is committed.
   * @throws what `WriteTransactions.run` throws
   */
  async transaction<Result>(
    work: TransactionWork<Result>,
    options: Omit<WriteOptions, 'totalMs'> = {},
  ): Promise<Result> {
    const result = await this.transactions.run(work, { totalMs: CHANGE_MS, ...options });
    this.relay.wake();
    return result;
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

/** An event that is recorded with others in one statement. */
export type NewEvent<Name extends DomainEventName = DomainEventName> = Pick<DomainEvent<Name>, 'name' | 'payload'> & {
  /** Orders the events of the statement. */
  id: number;
};

/** Rows of `recordEventsSql`. */
export const NEW_EVENTS: TableColumns<NewEvent> = TableColumns.of<DomainEvent>(DomainEvent)
  .pick('name', 'payload')
  .and<{ id: number }>({ id: 'bigint' });

/**
 * Records several events in one statement, as the last part of a `with`.
 * @param source the part with rows of `NEW_EVENTS`
 */
export function recordEventsSql(source: string): string {
  return `insert into domain_event (name, payload) select name, payload from ${source} order by id`;
}
