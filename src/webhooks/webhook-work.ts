import { isFree } from '../jobs/work-table.js';
import { TEST_TYPE } from './webhook-delivery.entity.js';

/** Name of the queue of deliveries, as operators and metrics know it. */
export const WEBHOOK_QUEUE = 'webhook';

/** Attempts at the same time on one server: as many as the web client has slots for webhooks. */
export const CONCURRENCY = 32;
/** Attempts at the same time for one subscription, as many as the web client sends to one host that a user chose. */
const CONCURRENCY_PER_SUBSCRIPTION = 2;

/**
 * The longest waiting deliveries of each subscription, so that a receiver that hangs or has a backlog holds up no
 * other. `$3`: subscriptions of the attempts under way on this server, each as often as it has some. A test message is
 * sent by the request that made it.
 */
export const DUE_WEBHOOKS = `
  select due.id from webhook_subscription as subscription
  cross join lateral (
    select work.id, work.next_attempt_at from webhook_delivery as work
    where work.subscription_id = subscription.id and ${isFree({ dueAt: 'next_attempt_at' }, 'work')} and work.type <> '${TEST_TYPE}'
    order by work.next_attempt_at
    limit greatest(0, ${CONCURRENCY_PER_SUBSCRIPTION} - (select count(*) from unnest($3::uuid[]) as busy (id) where busy.id = subscription.id))
    for update skip locked
  ) as due
  order by due.next_attempt_at limit $1`;
