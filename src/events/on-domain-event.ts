import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { DomainEventName } from '../domain/domain-events.js';
import type { StreamEvent } from './event-log.js';

/** A domain event as the relay hands it to a listener. */
export interface Announced<Name extends DomainEventName = DomainEventName> extends StreamEvent<Name> {
  /**
   * The transaction in which the listener's progress is stored. What a listener writes goes through it, so that its
   * rows and its progress are committed together; on a pool of one connection there is no other.
   */
  manager: EntityManager;
}

/** Metadata that `OnDomainEvent` sets on a method, where `EventListeners` finds it. */
export const ListensTo = DiscoveryService.createDecorator<{ listener: string; names: readonly DomainEventName[] }>();

/**
 * Marks a method of a provider as listener of domain events: `@OnDomainEvent('revalidation', ['proof.bound'])`. A wrong
 * name or payload type does not compile. `listener` names the cursor (table `event_handler`), so it never changes once
 * released. Delivery is at least once and in order; a listener only writes rows or sends jobs, through `event.manager`,
 * and throws if it could not.
 */
export function OnDomainEvent<Name extends DomainEventName>(listener: string, names: readonly Name[]) {
  return (
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<(event: Announced<Name>) => Promise<void>>,
  ): void => {
    ListensTo({ listener, names })(target, key, descriptor);
  };
}
