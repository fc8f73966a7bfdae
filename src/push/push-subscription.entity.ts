import { Column } from 'typeorm';

/** A browser that is told of changes of an Avatar. Nothing else is known of the person. */
export class PushSubscription {
  /** Who knows it may remove the row. */
  @Column('uuid')
  id: string;

  /** Compressed key. */
  @Column('text')
  avatar: string;

  /** Address at the push service of the browser. Who knows it may send to the browser, so it is never logged. */
  @Column('text')
  endpoint: string;

  /** The domain of the endpoint, for bounds. */
  @Column('text')
  domain: string;

  /** Public key of the browser (RFC 8291), 65 bytes in Base64url. */
  @Column('text')
  p256dh: string;

  /** Secret of the browser (RFC 8291), 16 bytes in Base64url. */
  @Column('text')
  auth: string;

  @Column('text')
  language: string;

  /** When a delivery was given up and none has arrived since; null where there is none. */
  @Column('timestamptz')
  failingSince: Date | null;

  @Column('timestamptz')
  createdAt: Date;
}
