import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { DOMAIN_EVENT_NAMES, type EventSubject } from '../domain/domain-events.js';
import { CLOUD_EVENT_TYPE, cloudEventOf } from '../events/cloud-event.js';
import { type Announced, OnDomainEvent } from '../events/on-domain-event.js';
import { JobQueues } from '../jobs/job-queues.js';
import { WEBHOOK_QUEUE } from './webhook-work.js';
import { webhookBody } from './webhook-message.js';

/**
 * Adds the deliveries of an event. A subscription gets no events from before it existed, even if the listener is
 * behind; the time of an event (`$4`) has milliseconds, and that of a subscription microseconds. Where the time of a
 * subscription is still to come, the clock of the database went back (or that of another server took over), and no time
 * says which events are older: it gets all. The lock waits for the removal of a subscription that is under way, and
 * leaves that subscription out: the foreign key would fail the event for all.
 */
const ADD_DELIVERIES = `
  insert into webhook_delivery (subscription_id, message_id, type, body, content_type, round_started_at, next_attempt_at)
  select id, $1, $2, case format when 'cloudevents' then $7 else $3 end,
    case format when 'cloudevents' then '${CLOUD_EVENT_TYPE}' else 'application/json' end, now(), now()
  from webhook_subscription
  where is_enabled and (date_trunc('milliseconds', created_at) <= $4 or created_at > clock_timestamp())
    and (types = '{}' or $2 = any(types)) and (platform is null or platform = $5) and (avatar is null or avatar = $6)
  for key share
  on conflict on constraint webhook_delivery_message do nothing
  returning id`;

/**
 * Turns each event into one delivery for every matching subscription, in the transaction that moves the listener's
 * cursor. Handling an event twice adds nothing.
 */
@Injectable()
export class WebhookListener {
  private readonly audiences = new WeakMap<EntityManager, Promise<boolean>>();

  constructor(
    private readonly jobs: JobQueues,
    private readonly environment: Environment,
  ) {}

  @OnDomainEvent('notification', DOMAIN_EVENT_NAMES)
  async addDeliveries(event: Announced): Promise<void> {
    const { manager, id, name, recordedAt } = event;
    const payload: EventSubject = event.payload;
    if (!(await this.hasSubscriptions(manager))) return;
    const rows: { id: string }[] = await manager.query(ADD_DELIVERIES, [
      id,
      name,
      webhookBody(name, recordedAt, { ...payload, position: event.position }),
      recordedAt,
      payload.platform ?? null,
      payload.avatar,
      JSON.stringify(cloudEventOf(event, this.environment)),
    ]);
    if (rows.length > 0) this.jobs.wakeAfterCommit(manager, WEBHOOK_QUEUE);
  }

  /**
   * Whether there is any enabled subscription. Read once for all events of a transaction: a subscription made after its
   * beginning is newer than these events.
   */
  private hasSubscriptions(manager: EntityManager): Promise<boolean> {
    const known = this.audiences.get(manager);
    if (known) return known;
    const asked = manager
      .query('select 1 from webhook_subscription where is_enabled limit 1')
      .then((rows: unknown[]) => rows.length > 0);
    this.audiences.set(manager, asked);
    return asked;
  }
}
