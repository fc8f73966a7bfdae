import { Injectable } from '@nestjs/common';
import { PUSH_SUBSCRIPTIONS } from '../bounds/bounds.js';
import {
  DOMAIN_EVENT_NAMES,
  type DomainEventName,
  type DomainEvents,
  type EventSubject,
} from '../domain/domain-events.js';
import { type Announced, OnDomainEvent } from '../events/on-domain-event.js';
import { JobQueues } from '../jobs/job-queues.js';
import { oldestHoldersOf } from '../proof/valid-proof.js';
import { isTold, type PushNewsType } from './push-message.js';
import { PUSH_QUEUE, PushSender } from './push.sender.js';

const TOLD = DOMAIN_EVENT_NAMES.filter(isTold);

/**
 * Adds deliveries of an event for the subscriptions of the Avatars that `avatars` selects, unless too many wait for one
 * already. As for webhooks, a subscription gets no events from before it existed, and the lock leaves out one that is
 * being removed.
 */
const addFor = (avatars: string): string => `
  insert into push_delivery (subscription_id, message_id, type, subject, platform, identity, happened_at, round_started_at, next_attempt_at)
  select id, $1, $2, $6, $4, $5, $3, now(), now() from push_subscription as subscription
  where avatar in (${avatars})
    and (date_trunc('milliseconds', created_at) <= $3 or created_at > clock_timestamp())
    and (
      select count(*) from (
        select from push_delivery as waiting where waiting.subscription_id = subscription.id
          and waiting.next_attempt_at is not null limit ${PUSH_SUBSCRIPTIONS.waiting}
      ) as found
    ) < ${PUSH_SUBSCRIPTIONS.waiting}
  for key share
  on conflict on constraint push_delivery_message do nothing
  returning id`;

const ADD_OWN = addFor('$6::text');
/** The others that held the account before `$6` bound it by the link `$7`. */
const ADD_FOR_HOLDERS = addFor(
  `select avatar from (${oldestHoldersOf('$4', '$5', '$7::bigint')}) as holder where avatar <> $6::text`,
);

/**
 * Turns each event into one delivery for every browser that follows its Avatar, and a binding also for those that
 * follow another Avatar which held the account before, in the transaction that moves the listener's cursor.
 */
@Injectable()
export class PushListener {
  constructor(
    private readonly jobs: JobQueues,
    private readonly sender: PushSender,
  ) {}

  @OnDomainEvent('push', TOLD)
  async addDeliveries({ manager, id, name, recordedAt, payload }: Announced): Promise<void> {
    if (!this.sender.isOn) return;
    const { avatar, platform = '', identity = '' }: EventSubject = payload;
    const add = async (sql: string, type: PushNewsType, ...more: unknown[]): Promise<void> => {
      const rows: unknown[] = await manager.query(sql, [id, type, recordedAt, platform, identity, avatar, ...more]);
      if (rows.length > 0) this.jobs.wakeAfterCommit(manager, PUSH_QUEUE);
    };
    await add(ADD_OWN, name as PushNewsType & DomainEventName);
    if (name !== 'proof.bound') return;
    const { link_id: link } = payload as DomainEvents['proof.bound'];
    await add(ADD_FOR_HOLDERS, 'proof.bound_elsewhere', link);
  }
}
