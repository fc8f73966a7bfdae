import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import type { DomainEventName, DomainEvents } from '../../src/domain/domain-events.js';
import { EventStore } from '../../src/events/event-store.js';
import { JobQueues } from '../../src/jobs/job-queues.js';
import type { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { WebhookLog } from '../../src/webhooks/webhook-log.js';
import type { RequestedSubscription } from '../../src/webhooks/webhook-rules.js';
import { type SubscriptionWithSecret, WebhookSubscriptions } from '../../src/webhooks/webhook-subscriptions.js';
import type { RunningApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import type { StandInRequest } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';

/**
 * What the package `standardwebhooks`, which is not ours, makes of a request: the body, if a signature in it is right.
 */
export function verified(request: StandInRequest, secret: string): { type: string; timestamp: string; data: object } {
  return new Webhook(secret).verify(request.body, request.headers) as ReturnType<typeof verified>;
}

export function subscribe(app: RunningApp, request: RequestedSubscription): Promise<SubscriptionWithSecret> {
  return app.app.get(WebhookSubscriptions).create(request);
}

/** Records an event as the modules do; `fields` replace those of a KV patch by alice. */
export async function announce(
  { app }: RunningApp,
  fields: Partial<DomainEvents['kv.patched']> = {},
  name: DomainEventName = 'kv.patched',
): Promise<void> {
  const payload = {
    avatar: anAvatar().key.compressed,
    platform: 'github',
    identity: 'alice',
    patch_id: 1,
    uuid: randomUUID(),
    created_at: 1_763_700_000,
    ...fields,
  };
  const events = app.get(EventStore);
  await events.transaction((manager) => events.record(manager, name, payload as DomainEvents[typeof name]));
}

/** The log of a subscription, oldest first, once there are `count` deliveries in it. */
export async function deliveriesOf(
  { app }: RunningApp,
  subscription: string,
  count: number,
): Promise<WebhookDelivery[]> {
  const list = async () => (await app.get(WebhookLog).list({ subscription }, 1)).items.reverse();
  await until(async () => (await list()).length >= count);
  return list();
}

/** The delivery once `isSo`. */
export async function deliveryOnce(
  { app }: RunningApp,
  id: string,
  isSo: (delivery: WebhookDelivery) => boolean,
): Promise<WebhookDelivery> {
  await until(async () => isSo(await app.get(WebhookLog).get(id)));
  return app.get(WebhookLog).get(id);
}

/** Lets the time pass until the next attempt, and answers the delivery after it. */
export async function attemptWhenDue(running: RunningApp, id: string): Promise<WebhookDelivery> {
  const { app } = running;
  const { sequence, nextAttemptAt } = await app.get(WebhookLog).get(id);
  if (!nextAttemptAt) throw new Error('No attempt is to come.');
  await app.get(DataSource).query(
    `update webhook_delivery set next_attempt_at = now(), round_started_at = round_started_at - (next_attempt_at - now())
     where id = $1 and turn = $2`,
    [id, sequence],
  );
  app.get(JobQueues).wake('webhook');
  return deliveryOnce(running, id, (delivery) => delivery.sequence > sequence);
}

/** Events of which the webhooks have not heard yet; for a test that nothing is sent. */
export async function unheardEvents({ app }: RunningApp): Promise<number> {
  const rows: { count: string }[] = await app.get(DataSource).query(
    `select count(*) as count from domain_event
       where position is null or position > coalesce((select position from event_handler where name = 'notification'), 0)`,
  );
  return Number(rows[0]!.count);
}
