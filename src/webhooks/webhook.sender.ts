import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Subject } from 'rxjs';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { Environment } from '../config/environment.js';
import { JobQueues } from '../jobs/job-queues.js';
import { WEBHOOK_PLATFORM } from '../web/process-slots.js';
import { WebClient } from '../web/web-client.js';
import { webhookBody } from './webhook.listener.js';
import { TEST_TYPE, WebhookDelivery } from './webhook-delivery.entity.js';
import { type Decision, decide, type Outcome, outcomeOfError, outcomeOfReply } from './webhook-outcome.js';
import { WebhookQueue } from './webhook-queue.js';
import { webhookHeaders } from './webhook-signature.js';
import type { WebhookSubscription } from './webhook-subscription.entity.js';
import { signingSecrets, WebhookSubscriptions } from './webhook-subscriptions.service.js';

/**
 * Attempts at the same time on one server; the web client lets two of them at one host, so a slow receiver leaves room
 * for the others.
 */
const CONCURRENCY = 8;

const RECORD = `
  update webhook_delivery set status = $3, turn = turn + 1, attempts = attempts + $4, next_attempt_at = $5,
    last_attempt_at = coalesce($6, last_attempt_at), last_status = $7, last_error = $8
  where id = $1 and turn = $2 returning id`;

/** A replayed dead letter starts the schedule from its beginning. */
const REVIVE = `
  update webhook_delivery set status = 'pending', attempts = 0, round_started_at = $3, next_attempt_at = $3, dead_letter_id = null
  where id = $1 and turn = $2 and status = 'dead'`;

/**
 * Makes the attempts. Each outcome is recorded in one transaction with the job for the next attempt, so whatever dies
 * in between, the message is sent again with the same id and never forgotten.
 */
@Injectable()
export class WebhookSender implements OnModuleInit {
  /** What came of each turn, for whoever counts. Observers must not throw. */
  readonly decided = new Subject<Decision>();

  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly subscriptions: WebhookSubscriptions,
    private readonly jobs: JobQueues,
    private readonly queue: WebhookQueue,
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    this.jobs.register(this.queue, ({ delivery, turn }) => this.attempt(delivery, turn, new Date()), CONCURRENCY);
  }

  /** One turn of a delivery; does nothing if it is not the present one, or if the delivery is done or gone. */
  async attempt(deliveryId: string, turn: number, now: Date): Promise<void> {
    const delivery = await this.open(deliveryId, turn, now);
    const subscription = delivery && (await this.subscriptions.findWithSecrets(delivery.subscriptionId));
    if (!subscription) return;
    const startedAt = performance.now();
    const isWanted = subscription.isEnabled || delivery.type === TEST_TYPE;
    const outcome: Outcome = isWanted
      ? await this.post(delivery, subscription, now)
      : { kind: 'dropped', error: 'disabled' };
    const endedAt = new Date(now.getTime() + performance.now() - startedAt);
    await this.record(delivery, decide(delivery, outcome, endedAt, Math.random()), endedAt);
  }

  /**
   * Sends a message of type `webhook.test` once, also to a disabled subscription, and answers how that went.
   * @throws NotFoundError (`subscription_not_found`)
   */
  async sendTest(subscriptionId: string, now: Date): Promise<WebhookDelivery> {
    const { id } = await this.subscriptions.get(subscriptionId);
    const delivery = await this.deliveries.save(
      this.deliveries.create({
        subscriptionId: id,
        messageId: randomUUID(),
        type: TEST_TYPE,
        body: webhookBody(TEST_TYPE, now, { subscription: id }),
        roundStartedAt: now,
        nextAttemptAt: now,
      }),
    );
    await this.attempt(delivery.id, 0, now);
    return this.deliveries.findOneByOrFail({ id: delivery.id });
  }

  private async open(id: string, turn: number, now: Date): Promise<WebhookDelivery | null> {
    const delivery = await this.deliveries.findOneBy({ id, turn });
    if (delivery?.status === 'pending') return delivery;
    if (delivery?.status !== 'dead') return null;
    await this.dataSource.query(REVIVE, [id, turn, now]);
    return this.deliveries.findOneBy({ id, turn, status: 'pending' });
  }

  private async post(delivery: WebhookDelivery, subscription: WebhookSubscription, now: Date): Promise<Outcome> {
    const { messageId, body } = delivery;
    const message = { id: messageId, sentAt: now, body };
    try {
      const reply = await this.web.send({
        url: subscription.url,
        trust: this.environment.WEBHOOK_ALLOW_PRIVATE ? 'operator' : 'user',
        platform: WEBHOOK_PLATFORM,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...webhookHeaders(message, signingSecrets(subscription, now)),
        },
        body,
        timeoutMs: this.environment.WEBHOOK_TIMEOUT_MS,
        // A receiver may do its work before it answers.
        headersMs: this.environment.WEBHOOK_TIMEOUT_MS,
      });
      return outcomeOfReply(reply);
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  private async record(delivery: WebhookDelivery, decision: Decision, now: Date): Promise<void> {
    const { id, turn, subscriptionId } = delivery;
    const { next, wasAsked, status, error, isGone } = decision;
    const isRetry = next instanceof Date;
    const isRecorded = await this.dataSource.transaction(async (manager) => {
      const [rows] = (await manager.query(RECORD, [
        id,
        turn,
        isRetry ? 'pending' : next,
        wasAsked ? 1 : 0,
        isRetry ? next : null,
        wasAsked ? now : null,
        status,
        error,
      ])) as [unknown[], number];
      if (rows.length === 0) return false;
      if (isRetry) await this.jobs.send(manager, this.queue, { delivery: id, turn: turn + 1 }, { startAfter: next });
      if (next === 'dead') await this.bury(manager, delivery, error);
      if (isGone) await this.subscriptions.disable(manager, subscriptionId, 'the receiver answered 410 Gone');
      return true;
    });
    if (isRecorded) this.decided.next(decision);
    if (isRecorded && next === 'dead') {
      this.logger.warn(`delivery ${id} to subscription ${subscriptionId} is given up: ${error} ${status ?? ''}`.trim());
    }
  }

  private async bury(manager: EntityManager, { id, turn, type }: WebhookDelivery, error: string): Promise<void> {
    if (type === TEST_TYPE) return;
    const letter = await this.jobs.bury(manager, this.queue, { delivery: id, turn: turn + 1 }, error);
    await manager.update(WebhookDelivery, { id }, { deadLetterId: letter });
  }
}
