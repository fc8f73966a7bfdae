import { Column } from 'typeorm';
import { Delivery } from '../deliveries/delivery.js';

/** One thing that one browser is to be told. Its row goes once the push service has taken it. */
export class PushDelivery extends Delivery {
  /** The Avatar that the event is about, compressed: another than that of the subscription for `bound_elsewhere`. */
  @Column('text')
  subject: string;

  /** What it is about; `''` where it is about the key alone. */
  @Column('text')
  platform: string;

  @Column('text')
  identity: string;

  @Column('timestamptz')
  happenedAt: Date;
}
