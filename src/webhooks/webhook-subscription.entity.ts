import { Column } from 'typeorm';
import type { EventFormat } from '../events/cloud-event.js';
import type { DomainEventName } from '../domain/domain-events.js';

/** A subscriber: a URL to which events are posted. */
export class WebhookSubscription {
  @Column('uuid')
  id: string;

  /** Where to post. May hold a query with a secret of the receiver's, so it is shown to operators and never logged. */
  @Column('text')
  url: string;

  /** `whsec_<base64>`; no answer shows it after the one that made it. */
  @Column('text')
  secret: string;

  /** The one before the last rotation; it still signs until `previousSecretUntil`. */
  @Column('text')
  previousSecret: string | null;

  @Column('timestamptz')
  previousSecretUntil: Date | null;

  /** Empty: all. */
  @Column('text', { array: true })
  types: DomainEventName[];

  /** Null: all. */
  @Column('text')
  platform: string | null;

  /** Compressed hex with `0x`; null: all. */
  @Column('text')
  avatar: string | null;

  @Column('text')
  format: EventFormat;

  @Column('boolean')
  isEnabled: boolean;

  /** `''` while enabled. */
  @Column('text')
  disabledReason: string;

  /** Whether the setting WEBHOOKS names it; then that is where it is changed. */
  @Column('boolean')
  isConfigured: boolean;

  @Column('timestamptz')
  createdAt: Date;
}
