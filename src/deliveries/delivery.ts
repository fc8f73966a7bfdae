import { Column } from 'typeorm';

/**
 * `pending`: an attempt is to come; `delivered`: the receiver answered 2xx; `dead`: given up, a dead letter shows the
 * operator.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export const DELIVERY_STATUSES: DeliveryStatus[] = ['pending', 'delivered', 'dead'];

/** One message to one subscriber, with how far it has come. Each kind of delivery has a table of its own. */
export abstract class Delivery {
  @Column('uuid')
  id: string;

  @Column('uuid')
  subscriptionId: string;

  /** The id of the event, the same in every attempt and for every subscriber. */
  @Column('uuid')
  messageId: string;

  /** Name of the event, or another type of message that the kind of delivery has. */
  @Column('text')
  type: string;

  @Column('text')
  status: DeliveryStatus;

  /** Number of outcomes so far; servers of version 0.1.0 know by it that an attempt came too late. */
  @Column('integer', { name: 'turn' })
  sequence: number;

  /** Requests since the present round of the schedule began. */
  @Column('integer')
  attempts: number;

  @Column('timestamptz')
  roundStartedAt: Date;

  /** Null once nothing more is to come. */
  @Column('timestamptz')
  nextAttemptAt: Date | null;

  @Column('timestamptz')
  lastAttemptAt: Date | null;

  /** What the receiver answered last; null where no answer came. */
  @Column('integer')
  lastStatus: number | null;

  /** One word for what went wrong last, `''` if nothing did. */
  @Column('text')
  lastError: string;

  /** While one server makes an attempt: until when it has the row to itself. */
  @Column('timestamptz')
  leasedUntil: Date | null;

  /** The number of attempts in a row that began and have no recorded outcome. */
  @Column('integer')
  unfinishedRuns: number;

  /** Set from when it is given up until an operator replays or drops its dead letter. */
  @Column('uuid')
  deadLetterId: string | null;

  @Column('timestamptz')
  deadAt: Date | null;

  @Column('timestamptz')
  createdAt: Date;
}
