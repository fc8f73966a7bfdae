import { Column, PrimaryGeneratedColumn } from 'typeorm';

/**
 * `pending`: an attempt is to come; `delivered`: the receiver answered 2xx; `dead`: given up, a dead letter shows the
 * operator.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export const DELIVERY_STATUSES: DeliveryStatus[] = ['pending', 'delivered', 'dead'];

/** One message to one subscriber, with how far it has come. Each kind of delivery has a table of its own. */
export abstract class Delivery {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column({ type: 'uuid' })
  subscriptionId: string;

  /** The id of the event, the same in every attempt and for every subscriber. */
  @Column({ type: 'uuid' })
  messageId: string;

  /** Name of the event, or another type of message that the kind of delivery has. */
  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'text', default: 'pending' })
  status: DeliveryStatus;

  /** Number of outcomes so far; servers of version 0.1.0 know by it that an attempt came too late. */
  @Column({ type: 'integer', default: 0, name: 'turn' })
  sequence: number;

  /** Requests since the present round of the schedule began. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ type: 'timestamptz' })
  roundStartedAt: Date;

  /** Null once nothing more is to come. */
  @Column({ type: 'timestamptz', nullable: true })
  nextAttemptAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastAttemptAt: Date | null;

  /** What the receiver answered last; null where no answer came. */
  @Column({ type: 'integer', nullable: true })
  lastStatus: number | null;

  /** One word for what went wrong last, `''` if nothing did. */
  @Column({ type: 'text', default: '' })
  lastError: string;

  /** While one server makes an attempt: until when it has the row to itself. */
  @Column({ type: 'timestamptz', nullable: true })
  leasedUntil: Date | null;

  /** The number of attempts in a row that began and have no recorded outcome. */
  @Column({ type: 'integer', default: 0 })
  unfinishedRuns: number;

  /** Set from when it is given up until an operator replays or drops its dead letter. */
  @Column({ type: 'uuid', nullable: true })
  deadLetterId: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  deadAt: Date | null;

  @Column({ type: 'timestamptz', insert: false })
  createdAt: Date;
}
