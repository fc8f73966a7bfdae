import { Column } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';

/** A fact that was committed together with the change it describes. `EventRelay` numbers and announces it. */
export class DomainEvent<Name extends DomainEventName = DomainEventName> {
  /** Stays the same however often the event is delivered; receivers deduplicate by it. */
  @Column('uuid')
  id: string;

  @Column('text')
  name: Name;

  @Column('jsonb')
  payload: DomainEvents[Name];

  @Column('timestamptz')
  recordedAt: Date;
}
