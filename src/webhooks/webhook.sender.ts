import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WebReply } from '@signet/look';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { TableColumns } from '../database/table-columns.js';
import type { Decision } from '../deliveries/delivery-outcome.js';
import { type Attempt, type DeliveryKind, DeliveryRunner, turnsOf } from '../deliveries/delivery-runner.js';
import { JobQueues } from '../jobs/job-queues.js';
import { type CounterSource, Measured } from '../measures/measured.js';
import { WEBHOOK_PLATFORM } from '../outbound/pacing/process-slots.js';
import { WebClient } from '../outbound/web-client.js';
import { TEST_TYPE, WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookLog } from './webhook-log.js';
import { webhookBody, webhookHeaders } from './webhook-message.js';
import { WebhookSubscriptions } from './webhook-subscriptions.js';
import { CONCURRENCY, DUE_WEBHOOKS, WEBHOOK_QUEUE } from './webhook-work.js';

/** By which a receiver says that it wants no more. */
const GONE = [410];

/** A test message belongs to its sender from the beginning. */
const ADD_TEST = `
  insert into webhook_delivery (subscription_id, message_id, type, body, round_started_at, next_attempt_at, leased_until, unfinished_runs)
  values ($1, $2, '${TEST_TYPE}', $3, now(), now(), now() + $4::float8 * interval '1 millisecond', 1)
  returning id, leased_until::text as lease`;

/** All times are by the clock of the database, which also wrote until when the previous secret signs. */
const READ = `
  select ${TableColumns.of(WebhookDelivery).selectedFrom('delivery')}, url, is_enabled as "isEnabled",
    array_remove(array[secret, case when previous_secret_until > now() then previous_secret end], null) as secrets,
    (extract(epoch from now() - round_started_at) * 1000)::float8 as "ageMs", type = '${TEST_TYPE}' as "isOnce"
  from webhook_delivery delivery join webhook_subscription subscription on subscription.id = delivery.subscription_id
  where delivery.id = $1`;

/** A delivery and its receiver, as an attempt begins with them. */
type WebhookAttempt = WebhookDelivery &
  Attempt & {
    url: string;
    isEnabled: boolean;
    /** The secrets that sign now, the present one first. */
    secrets: string[];
  };

@Injectable()
@Measured()
export class WebhookSender implements OnModuleInit, CounterSource, DeliveryKind<WebhookAttempt> {
  readonly queue = WEBHOOK_QUEUE;
  readonly table = 'webhook_delivery';
  readonly dueSql = DUE_WEBHOOKS;
  readonly readSql = READ;
  readonly concurrency = CONCURRENCY;
  readonly gone = GONE;
  readonly turns = turnsOf('signet_webhook_turns_total', 'Turns of webhook deliveries');
  readonly counters = [this.turns];
  readonly timeoutMs: number;
  private runner!: DeliveryRunner<WebhookAttempt>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: WebhookSubscriptions,
    private readonly log: WebhookLog,
    private readonly jobs: JobQueues,
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {
    this.timeoutMs = environment.WEBHOOK_TIMEOUT_MS;
  }

  onModuleInit(): void {
    this.runner = new DeliveryRunner(this.dataSource, this.jobs, this);
  }

  /**
   * Sends a message of type `webhook.test` once, also to a disabled subscription, and answers how that went.
   * @throws NotFoundError (`subscription_not_found`)
   */
  async sendTest(subscriptionId: string): Promise<WebhookDelivery> {
    const { id } = await this.subscriptions.get(subscriptionId);
    const body = webhookBody(TEST_TYPE, new Date(), { subscription: id });
    const values = [id, randomUUID(), body, this.runner.rows.table.leaseMs];
    const [row]: { id: string; lease: string }[] = await this.dataSource.query(ADD_TEST, values);
    await this.runner.attempt({ ...row!, unfinishedRuns: 1 });
    return this.log.get(row!.id);
  }

  /** The subscriptions of the attempts under way: see `DUE_WEBHOOKS`. */
  claimParameters(underWay: WebhookAttempt[]): unknown[] {
    return [underWay.map(({ subscriptionId }) => subscriptionId)];
  }

  nameOf({ id, subscriptionId }: WebhookAttempt): string {
    return `Delivery ${id} to subscription ${subscriptionId}`;
  }

  refusal({ isEnabled, isOnce }: WebhookAttempt): string | null {
    return isEnabled || isOnce ? null : 'disabled';
  }

  send({ messageId: id, body, contentType, url, secrets }: WebhookAttempt): Promise<WebReply> {
    // Receivers compare this time with their own clock; this service does not read it again.
    const message = { id, sentAt: new Date(), body };
    return this.web.send({
      url,
      trust: this.environment.WEBHOOK_ALLOW_PRIVATE ? 'operator' : 'user',
      platform: WEBHOOK_PLATFORM,
      method: 'POST',
      headers: { 'content-type': contentType, ...webhookHeaders(message, secrets) },
      body,
      timeoutMs: this.timeoutMs,
      // A receiver may do its work before it answers.
      headersMs: this.timeoutMs,
    });
  }

  async settle(manager: EntityManager, { subscriptionId }: WebhookAttempt, { error }: Decision): Promise<'keep'> {
    if (error === 'gone') await this.subscriptions.disableGone(manager, subscriptionId);
    return 'keep';
  }
}
