import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';

/**
 * Writes domain events as rows in the transaction of the change: a rolled-back change is never announced and a committed one is never
 * forgotten. Rows are written without a position; the relay gives it after the commit (decisions.md 8).
 */
@Injectable()
export class EventStore {
  async record<Name extends DomainEventName>(
    manager: EntityManager,
    name: Name,
    payload: DomainEvents[Name],
  ): Promise<void> {
    await manager.query('insert into domain_event (name, payload) values ($1, $2)', [name, JSON.stringify(payload)]);
  }
}
