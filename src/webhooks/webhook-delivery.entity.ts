import { Column } from 'typeorm';
import { Delivery } from '../deliveries/delivery.js';

/** Type of a message that an operator sends to see whether it arrives; it is sent once. */
export const TEST_TYPE = 'webhook.test';

/** One message to one subscriber, with how far it has come: the log of what was sent. Its id is `webhook-id`. */
export class WebhookDelivery extends Delivery {
  /** The exact text that is sent, and signed anew for each attempt. */
  @Column('text')
  body: string;

  @Column('text')
  contentType: string;
}
