import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { EventFormat } from '../events/cloud-event.js';
import type { DomainEventName } from '../domain/domain-events.js';

/** A subscriber: a URL to which events are posted. */
@Entity('webhook_subscription')
export class WebhookSubscription {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  /** Where to post. May hold a query with a secret of the receiver's, so it is shown to operators and never logged. */
  @Column({ type: 'text' })
  url: string;

  /** `whsec_<base64>`. Only read by queries that select it explicitly. */
  @Column({ type: 'text', select: false })
  secret: string;

  /** The one before the last rotation; it still signs until `previousSecretUntil`. */
  @Column({ type: 'text', nullable: true, select: false })
  previousSecret: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  previousSecretUntil: Date | null;

  /** Empty: all. */
  @Column({ type: 'text', array: true })
  types: DomainEventName[];

  /** Null: all. */
  @Column({ type: 'text', nullable: true })
  platform: string | null;

  /** Compressed hex with `0x`; null: all. */
  @Column({ type: 'text', nullable: true })
  avatar: string | null;

  @Column({ type: 'text', default: 'standard' })
  format: EventFormat;

  @Column({ type: 'boolean', default: true })
  isEnabled: boolean;

  /** `''` while enabled. */
  @Column({ type: 'text', default: '' })
  disabledReason: string;

  /** Whether the setting WEBHOOKS names it; then that is where it is changed. */
  @Column({ type: 'boolean', default: false })
  isConfigured: boolean;

  @Column({ type: 'timestamptz', insert: false })
  createdAt: Date;
}
