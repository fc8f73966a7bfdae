import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { TableColumns } from '../database/table-columns.js';
import { JobQueues } from '../jobs/job-queues.js';
import { type LeasedRows, LeaseLostError } from '../jobs/leased-rows.js';
import type { Leased } from '../jobs/work-table.js';
import { WEBHOOK_PLATFORM } from '../outbound/pacing/process-slots.js';
import { WebClient } from '../outbound/web-client.js';
import { TEST_TYPE, WebhookDelivery } from './webhook-delivery.entity.js';
import { afterAnswer, afterError, type Decision, giveUp } from './webhook-outcome.js';
import { webhookBody, webhookHeaders } from './webhook-message.js';
import { WebhookSubscriptions } from './webhook-subscriptions.js';
import { CONCURRENCY, webhookWork } from './webhook-work.js';

/** A delivery whose attempts end so often with a crash of their server is given up: it may be the cause. */
const MAX_UNFINISHED_RUNS = 20;

/** Values from `$4` on. A test leaves no dead letter, because its result is in the answer to the request. */
const OUTCOME = `
  status = $4, turn = turn + 1, attempts = attempts + $5, last_attempt_at = case when $5 = 1 then now() else last_attempt_at end,
  last_status = $6, last_error = $7, dead_at = case when $4 = 'dead' then now() end,
  dead_letter_id = case when $4 = 'dead' and type <> '${TEST_TYPE}' then gen_random_uuid() end`;

/** A test message belongs to its sender from the beginning. */
const ADD_TEST = `
  insert into webhook_delivery (subscription_id, message_id, type, body, round_started_at, next_attempt_at, leased_until, unfinished_runs)
  values ($1, $2, '${TEST_TYPE}', $3, now(), now(), now() + $4::float8 * interval '1 millisecond', 1)
  returning id, leased_until::text as lease`;

/** All times are by the clock of the database, which also wrote until when the previous secret signs. */
const READ = `
  select ${TableColumns.of(WebhookDelivery).selectedFrom('delivery')}, url, is_enabled as "isEnabled",
    array_remove(array[secret, case when previous_secret_until > now() then previous_secret end], null) as secrets,
    (extract(epoch from now() - round_started_at) * 1000)::float8 as "ageMs"
  from webhook_delivery delivery join webhook_subscription subscription on subscription.id = delivery.subscription_id
  where delivery.id = $1`;

/** A delivery and its receiver, as an attempt begins with them. */
type Attempt = WebhookDelivery & {
  url: string;
  isEnabled: boolean;
  /** The secrets that sign now, the present one first. */
  secrets: string[];
  /** Since the present round of the schedule began. */
  ageMs: number;
};

/**
 * Makes the attempts. The outcome of each and the time of the next one are recorded in one statement, so after a crash
 * the message is sent again with the same id and never forgotten.
 */
@Injectable()
export class WebhookSender implements OnModuleInit {
  /** The outcome of each attempt, for metrics. Observers must not throw. */
  readonly decided = new Subject<Decision>();

  private readonly logger = new Logger('Webhooks');
  /** Attempts under way on this server. */
  private readonly underWay = new Set<Attempt>();
  private rows!: LeasedRows;

  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: WebhookSubscriptions,
    private readonly jobs: JobQueues,
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    this.rows = this.jobs.register(webhookWork(this.environment.WEBHOOK_TIMEOUT_MS), {
      concurrency: CONCURRENCY,
      claimParameters: () => [[...this.underWay].map(({ subscriptionId }) => subscriptionId)],
      run: (leased) => this.attempt(leased),
    });
  }

  /**
   * Sends a message of type `webhook.test` once, also to a disabled subscription, and answers how that went.
   * @throws NotFoundError (`subscription_not_found`)
   */
  async sendTest(subscriptionId: string): Promise<WebhookDelivery> {
    const { id } = await this.subscriptions.get(subscriptionId);
    const body = webhookBody(TEST_TYPE, new Date(), { subscription: id });
    const [row]: { id: string; lease: string }[] = await this.dataSource.query(ADD_TEST, [
      id,
      randomUUID(),
      body,
      this.rows.table.leaseMs,
    ]);
    await this.attempt({ ...row!, unfinishedRuns: 1 });
    return this.dataSource.manager.findOneByOrFail(WebhookDelivery, { id: row!.id });
  }

  /** One attempt; nothing if the delivery or its subscription was removed meanwhile. @throws LeaseLostError */
  private async attempt(leased: Leased): Promise<void> {
    const [attempt] = await this.dataSource.query<Attempt[]>(READ, [leased.id]);
    if (!attempt) return;
    this.underWay.add(attempt);
    const decision = await this.decide(attempt, leased).finally(() => this.underWay.delete(attempt));
    await this.record(attempt, leased, decision);
  }

  private async decide(attempt: Attempt, { unfinishedRuns }: Leased): Promise<Decision> {
    if (unfinishedRuns > MAX_UNFINISHED_RUNS) return giveUp(attempt, 'unfinished');
    if (!attempt.isEnabled && attempt.type !== TEST_TYPE) return giveUp(attempt, 'disabled');
    const startedAt = performance.now();
    try {
      return afterAnswer(attempt, (await this.post(attempt)).status);
    } catch (error) {
      return afterError(attempt, error, attempt.ageMs + performance.now() - startedAt);
    }
  }

  private post({ messageId: id, body, contentType, url, secrets }: Attempt) {
    // Receivers compare this time with their own clock; this service does not read it again.
    const message = { id, sentAt: new Date(), body };
    return this.web.send({
      url,
      trust: this.environment.WEBHOOK_ALLOW_PRIVATE ? 'operator' : 'user',
      platform: WEBHOOK_PLATFORM,
      method: 'POST',
      headers: { 'content-type': contentType, ...webhookHeaders(message, secrets) },
      body,
      timeoutMs: this.environment.WEBHOOK_TIMEOUT_MS,
      // A receiver may do its work before it answers.
      headersMs: this.environment.WEBHOOK_TIMEOUT_MS,
    });
  }

  /** @throws LeaseLostError if another server has the row by now, or an operator replayed it */
  private async record(delivery: WebhookDelivery, leased: Leased, decision: Decision): Promise<void> {
    const { id, subscriptionId, sequence } = delivery;
    const { next, wasAsked, status, error } = decision;
    const isRetry = typeof next === 'number';
    await this.dataSource.transaction(async (manager) => {
      // First, because a removal locks the subscription before its deliveries: the two would wait for each other.
      if (error === 'gone') await this.subscriptions.disableGone(manager, subscriptionId);
      const values = [isRetry ? 'pending' : next, wasAsked ? 1 : 0, status, error];
      await this.rows.finish(manager, leased, isRetry ? next : null, OUTCOME, values);
      const [row]: { turn: number }[] = await manager.query('select turn from webhook_delivery where id = $1', [id]);
      // A server of version 0.1.0 that runs beside this one knows no leases.
      if (row?.turn !== sequence + 1) throw new LeaseLostError(`delivery ${id} was recorded by another server`);
    });
    this.decided.next(decision);
    if (next === 'dead') {
      this.logger.warn(`Delivery ${id} to subscription ${subscriptionId} is given up: ${error} ${status ?? ''}`.trim());
    }
  }
}
