import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvalidRequestError, type WebReply } from '@signet/look';
import { DataSource, type EntityManager } from 'typeorm';
import { OUTBOUND_SLOTS } from '../bounds/bounds.js';
import { Environment } from '../config/environment.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import { isUnleased } from '../database/time-sql.js';
import { TableColumns } from '../database/table-columns.js';
import type { Decision } from '../deliveries/delivery-outcome.js';
import { type Attempt, type DeliveryKind, DeliveryRunner, turnsOf } from '../deliveries/delivery-runner.js';
import { ProofRejectedError } from '../domain/domain-errors.js';
import { JobQueues } from '../jobs/job-queues.js';
import { isFree } from '../jobs/work-table.js';
import {
  type CounterSource,
  type GaugeSource,
  MAX_COUNTED,
  Measured,
  type Readings,
  UP_TO_LIMIT,
} from '../measures/measured.js';
import { PUSH_PLATFORM } from '../outbound/pacing/process-slots.js';
import { WebClient } from '../outbound/web-client.js';
import { PushDelivery } from './push-delivery.entity.js';
import { encryptPush } from './push-encryption.js';
import { messageText, type PushNews } from './push-message.js';
import type { PushSubscription } from './push-subscription.entity.js';
import { type CheckedPush, PushSubscriptions, removePush, type RequestedPush } from './push-subscriptions.js';
import { newVapidKey, VapidKey } from './vapid.js';

/** Name of the queue, as operators and metrics know it. */
export const PUSH_QUEUE = 'push';
const GAUGES = { signet_push_subscriptions: [`Browsers that are told of changes, ${UP_TO_LIMIT}`] } as const;

/** RFC 8030, 5: a push service that has taken a message says so. A web page that takes any POST does not. */
const TAKEN = 201;
/** RFC 8030, 7.3, and what push services answer for a subscription that has ended. */
const GONE = [404, 410];
const TIMEOUT_MS = 10_000;
/** Push services that allow a request a second each: the makers of browsers allow far more. */
const RATE = { plain: { requests: 10, seconds: 1 } };
/** Seconds for which a push service keeps a message for a browser that is off: four weeks, which all accept. */
const TTL_SECONDS = 28 * 24 * 3600;
/** Deliveries to one domain that one server attempts at a time. */
const CONCURRENCY_PER_DOMAIN = OUTBOUND_SLOTS.push.runningPerKey!;
/** Deliveries that a poll looks at. */
const LOOKED_AT = 500;

const SOONEST = 'work.next_attempt_at, work.happened_at';
/**
 * Those that wait for longest: one of each subscription, so that what is told comes in its order while all goes well,
 * and a few of each domain. `$3`: domains with as many attempts on this server as they may have, so that one that hangs
 * holds up no other.
 */
const DUE = `
  select work.id from push_delivery as work where ${isFree({ dueAt: 'next_attempt_at' }, 'work')} and work.id in (
    select id from (
      select first.id, row_number() over (partition by first.domain order by first.next_attempt_at) as place from (
        select distinct on (oldest.subscription_id) oldest.id, oldest.domain, oldest.next_attempt_at from (
          select work.id, work.subscription_id, work.next_attempt_at, work.happened_at, subscription.domain
          from push_delivery as work join push_subscription as subscription on subscription.id = work.subscription_id
          where ${isFree({ dueAt: 'next_attempt_at' }, 'work')} and subscription.domain <> all($3::text[])
            and not exists (
              select from push_delivery as other where other.subscription_id = work.subscription_id and not ${isUnleased('other')}
            )
          order by ${SOONEST} limit ${LOOKED_AT}
        ) as oldest order by oldest.subscription_id, oldest.next_attempt_at, oldest.happened_at
      ) as first
    ) as placed where place <= ${CONCURRENCY_PER_DOMAIN}
  )
  order by ${SOONEST} limit $1 for update skip locked`;

const READ = `
  select ${TableColumns.of(PushDelivery).selectedFrom('delivery')}, avatar, endpoint, domain, p256dh, auth, language,
    (extract(epoch from now() - round_started_at) * 1000)::float8 as "ageMs", false as "isOnce"
  from push_delivery delivery join push_subscription subscription on subscription.id = delivery.subscription_id
  where delivery.id = $1`;

type PushAttempt = PushDelivery & Attempt & CheckedPush;

@Injectable()
@Measured()
export class PushSender implements OnModuleInit, CounterSource, GaugeSource<typeof GAUGES>, DeliveryKind<PushAttempt> {
  readonly queue = PUSH_QUEUE;
  readonly table = 'push_delivery';
  readonly dueSql = DUE;
  readonly readSql = READ;
  readonly concurrency = OUTBOUND_SLOTS.push.running;
  readonly timeoutMs = TIMEOUT_MS;
  readonly gone = GONE;
  readonly turns = turnsOf('signet_push_turns_total', 'Turns of deliveries to browsers');
  readonly counters = [this.turns];
  readonly gauges = GAUGES;
  /** Null where it is off. */
  private key: VapidKey | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: PushSubscriptions,
    private readonly settings: DeploymentSettings,
    private readonly jobs: JobQueues,
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  /** Makes the key of this deployment at its first start. */
  async onModuleInit(): Promise<void> {
    this.web.rates.declare(PUSH_PLATFORM, RATE);
    if (this.isOn) {
      this.key = new VapidKey(await this.settings.getOrMake('push_key', newVapidKey), contactOf(this.environment));
    }
    new DeliveryRunner(this.dataSource, this.jobs, this);
  }

  /** Whether browsers can subscribe, and by which key. */
  state(): { is_on: boolean; off_reason: string; public_key: string } {
    return { is_on: this.isOn, off_reason: this.offReason, public_key: this.key?.publicKey ?? '' };
  }

  /** Also before the key is read. */
  get isOn(): boolean {
    return this.offReason === '';
  }

  /**
   * Subscribes a browser, once its push service has taken a first message, which says so: addresses that lead nowhere
   * take up no place. One that is subscribed already is told nothing.
   * @throws InvalidRequestError (`push_off`, and as `PushSubscriptions.check`), LimitExceededError
   *   (`too_many_subscriptions`), ProofRejectedError (`push_refused`), PlatformUnavailableError
   */
  async subscribe(request: RequestedPush, now: Date): Promise<PushSubscription> {
    if (!this.key) throw new InvalidRequestError('This server sends no notifications.', 'push_off');
    const checked = this.subscriptions.check(request);
    if (await this.subscriptions.find(checked)) return this.subscriptions.save(checked);
    await this.subscriptions.assertRoom(checked);
    const news = { type: 'welcome', platform: '', identity: '', happenedAt: now } as const;
    const { status } = await this.post(checked, news, randomUUID());
    if (status !== TAKEN) {
      throw new ProofRejectedError(
        `The push service of this browser answered ${status} to a first message, and 201 was expected.`,
        'push_refused',
      );
    }
    return this.subscriptions.save(checked);
  }

  claimParameters(underWay: PushAttempt[]): unknown[] {
    const counts = new Map<string, number>();
    for (const { domain } of underWay) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    return [[...counts].filter(([, count]) => count >= CONCURRENCY_PER_DOMAIN).map(([domain]) => domain)];
  }

  /** Without its subscription: who knows the id of that may remove it. */
  nameOf({ id }: PushAttempt): string {
    return `Delivery ${id}`;
  }

  refusal(): string | null {
    return this.isOn ? null : 'disabled';
  }

  send(attempt: PushAttempt): Promise<WebReply> {
    return this.post(attempt, attempt as PushNews, attempt.id);
  }

  /** What was taken leaves nothing behind, and a subscription that has ended goes with all that waits for it. */
  async settle(
    manager: EntityManager,
    { subscriptionId }: PushAttempt,
    { next, error }: Decision,
  ): Promise<'keep' | 'remove' | 'removed'> {
    if (next === 'delivered') {
      await this.subscriptions.noteArrival(manager, subscriptionId);
      return 'remove';
    }
    if (error === 'gone') {
      await removePush(manager, subscriptionId);
      return 'removed';
    }
    const isOver = next === 'dead' && this.isOn && (await this.subscriptions.noteFailure(manager, subscriptionId));
    return isOver ? 'removed' : 'keep';
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const [row]: { count: number }[] = await this.dataSource.query(
      `select count(*)::int as count from (select from push_subscription limit ${MAX_COUNTED}) as found`,
    );
    return { signet_push_subscriptions: row!.count };
  }

  private get offReason(): '' | 'off' | 'no_https' {
    if (!this.environment.PUSH) return 'off';
    return this.environment.PUBLIC_URL?.startsWith('https:') ? '' : 'no_https';
  }

  /**
   * @param id the same in every attempt, and of one subscription alone, as a browser may have several: a push service
   *   keeps the newest message of a topic (RFC 8030, 5.4), and a browser shows the newest of a tag, so what is sent
   *   again is told once
   */
  private async post(to: CheckedPush, news: PushNews, id: string): Promise<WebReply> {
    const text = Buffer.from(messageText(to, news, id));
    const keys = { p256dh: Buffer.from(to.p256dh, 'base64url'), auth: Buffer.from(to.auth, 'base64url') };
    return this.web.send({
      url: to.endpoint,
      trust: 'user',
      platform: PUSH_PLATFORM,
      method: 'POST',
      headers: {
        authorization: this.key!.authorization(new URL(to.endpoint).origin, new Date()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(TTL_SECONDS),
        topic: id.replaceAll('-', ''),
        urgency: 'normal',
      },
      body: encryptPush(text, keys),
      timeoutMs: TIMEOUT_MS,
      headersMs: TIMEOUT_MS,
      maxBytes: 64 * 1024,
    });
  }
}

/** Where push services can reach the operator: a mail address or an https URL (RFC 8292, 2.1). */
function contactOf({ OUTBOUND_CONTACT: contact, PUBLIC_URL }: Environment): string {
  if (contact === undefined || /^http:/i.test(contact)) return new URL(PUBLIC_URL!).origin;
  return /^(?:https|mailto):/i.test(contact) ? contact : `mailto:${contact}`;
}
