import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A browser that is told of changes of an Avatar. Nothing else is known of the person. */
@Entity('push_subscription')
export class PushSubscription {
  /** Who knows it may remove the row. */
  @PrimaryGeneratedColumn('uuid')
  id: string;

  /** Compressed key. */
  @Column({ type: 'text' })
  avatar: string;

  /** Address at the push service of the browser. Who knows it may send to the browser, so it is never logged. */
  @Column({ type: 'text' })
  endpoint: string;

  /** The domain of the endpoint, for bounds. */
  @Column({ type: 'text' })
  domain: string;

  /** Public key of the browser (RFC 8291), 65 bytes in Base64url. */
  @Column({ type: 'text' })
  p256dh: string;

  /** Secret of the browser (RFC 8291), 16 bytes in Base64url. */
  @Column({ type: 'text' })
  auth: string;

  /** Language of what it is told. */
  @Column({ type: 'text' })
  language: string;

  /** When a delivery was given up and none has arrived since; null where there is none. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  @Column({ type: 'timestamptz', insert: false })
  createdAt: Date;
}
