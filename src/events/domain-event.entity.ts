import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../domain/domain-events.js';

/** A fact that was committed together with the change it describes. `EventRelay` numbers and announces it. */
@Entity('domain_event')
export class DomainEvent<Name extends DomainEventName = DomainEventName> {
  /** Stays the same however often the event is delivered; receivers deduplicate by it. */
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column({ type: 'text' })
  name: Name;

  @Column({ type: 'jsonb' })
  payload: DomainEvents[Name];

  @Column({ type: 'timestamptz', insert: false })
  recordedAt: Date;
}
