import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';
import { EventRelay } from './event-relay.js';

/**
 * Writes domain events as rows in the transaction of the change: a rolled-back change is never announced and a
 * committed one is never forgotten. Rows are written without a position; the relay gives it after the commit
 * (docs/design/decisions.md 8).
 */
@Injectable()
export class EventStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly relay: EventRelay,
  ) {}

  /** Runs a change that records events in one transaction, and wakes the relay once it is committed. */
  async transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const result = await this.dataSource.transaction('READ COMMITTED', work);
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
