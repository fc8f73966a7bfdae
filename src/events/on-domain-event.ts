import { type EventEmitter2, OnEvent } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';

/** A domain event as the relay hands it to a listener. */
export interface Announced<Name extends DomainEventName = DomainEventName> {
  /** Stays the same however often the event is delivered. */
  id: string;
  /** Place in the one stream of all events: gapless, ascending, given after the commit. */
  position: number;
  name: Name;
  payload: DomainEvents[Name];
  recordedAt: Date;
  /**
   * The transaction in which the listener's progress is stored. What a listener writes goes through it, so that its
   * rows and its progress are committed together; on a pool of one connection there is no other.
   */
  manager: EntityManager;
}

/**
 * Separates the listener from the event in a name of the emitter, so that the relay can announce to one listener at a
 * time.
 */
const SEPARATOR = '/';

type Listener<Name extends DomainEventName> = (event: Announced<Name>) => Promise<void>;

/**
 * Marks a method as listener of a domain event: `@OnDomainEvent('revalidation', 'proof.bound')`. A wrong name or
 * payload type does not compile. `handler` names the cursor, so it never changes once released. Delivery is at least
 * once and in order; a listener only writes rows or sends jobs, through `event.manager`, and throws if it could not.
 */
export function OnDomainEvent<Name extends DomainEventName>(handler: string, name: Name) {
  return (target: object, key: string, descriptor: TypedPropertyDescriptor<Listener<Name>>): void => {
    OnEvent(emitterName(handler, name), { suppressErrors: false })(target, key, descriptor);
  };
}

export function emitterName(handler: string, name: DomainEventName): string {
  return `${handler}${SEPARATOR}${name}`;
}

/** The names of all listeners of this server. */
export function handlersOf(emitter: EventEmitter2): string[] {
  const handlers = emitter.eventNames().flatMap((name) => {
    const [handler, event] = String(name).split(SEPARATOR);
    return handler && event ? [handler] : [];
  });
  return [...new Set(handlers)];
}
