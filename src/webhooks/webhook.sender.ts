import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Subject } from 'rxjs';
import { DataSource, Repository } from 'typeorm';
import { Environment } from '../config/environment.js';
import { JobQueues } from '../jobs/job-queues.js';
import { type LeasedRows, LeaseLostError } from '../jobs/leased-rows.js';
import type { Leased } from '../jobs/work-table.js';
import { WEBHOOK_PLATFORM } from '../outbound/pacing/process-slots.js';
import { WebClient } from '../outbound/web-client.js';
import { TEST_TYPE, WebhookDelivery } from './webhook-delivery.entity.js';
import { type Decision, decide, type AttemptOutcome, outcomeOfError } from './webhook-outcome.js';
import { webhookBody, webhookHeaders } from './webhook-message.js';
import { WebhookSubscriptions, type WebhookTarget } from './webhook-subscriptions.service.js';
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

/** A row that an attempt begins with. */
interface DeliveryRow {
  delivery: WebhookDelivery;
  /** Since the present round of the schedule began, by the clock of the database. */
  ageMs: number;
}

/**
 * Makes the attempts. The outcome of each and the time of the next one are recorded in one statement, so after a crash
 * the message is sent again with the same id and never forgotten.
 */
@Injectable()
export class WebhookSender implements OnModuleInit {
  /** The outcome of each attempt, for metrics. Observers must not throw. */
  readonly decided = new Subject<Decision>();

  private readonly logger = new Logger('Webhooks');
  /** Attempts under way on this server, by subscription. */
  private readonly busy = new Map<string, number>();
  private rows!: LeasedRows;

  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly subscriptions: WebhookSubscriptions,
    private readonly jobs: JobQueues,
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    this.rows = this.jobs.register(webhookWork(this.environment.WEBHOOK_TIMEOUT_MS), {
      concurrency: CONCURRENCY,
      claimParameters: () => [[...this.busy.keys()], [...this.busy.values()]],
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
    return this.deliveries.findOneByOrFail({ id: row!.id });
  }

  /** One attempt; nothing if the delivery or its subscription was removed meanwhile. @throws LeaseLostError */
  private async attempt(leased: Leased): Promise<void> {
    const row = await this.read(leased.id);
    const target = row && (await this.subscriptions.findTarget(row.delivery.subscriptionId));
    if (!target) return;
    const { delivery, ageMs } = row;
    const startedAt = performance.now();
    const outcome = await this.whileBusy(delivery.subscriptionId, () => this.outcomeOf(delivery, target, leased));
    const decision = decide(delivery, outcome, ageMs + performance.now() - startedAt, Math.random());
    await this.record(delivery, leased, decision);
  }

  private async read(id: string): Promise<DeliveryRow | null> {
    const { entities, raw } = await this.deliveries
      .createQueryBuilder('delivery')
      .addSelect('extract(epoch from now() - delivery.round_started_at) * 1000', 'age_ms')
      .where({ id })
      .getRawAndEntities<{ age_ms: string }>();
    return entities[0] ? { delivery: entities[0], ageMs: Number(raw[0]!.age_ms) } : null;
  }

  private async whileBusy<Result>(subscription: string, work: () => Promise<Result>): Promise<Result> {
    this.busy.set(subscription, (this.busy.get(subscription) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = this.busy.get(subscription)! - 1;
      if (left === 0) this.busy.delete(subscription);
      else this.busy.set(subscription, left);
    }
  }

  private async outcomeOf(
    delivery: WebhookDelivery,
    target: WebhookTarget,
    { unfinishedRuns }: Leased,
  ): Promise<AttemptOutcome> {
    if (unfinishedRuns > MAX_UNFINISHED_RUNS) return { kind: 'dropped', error: 'unfinished' };
    if (!target.isEnabled && delivery.type !== TEST_TYPE) return { kind: 'dropped', error: 'disabled' };
    try {
      return { kind: 'answered', status: (await this.post(delivery, target)).status };
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  private post({ messageId, body, contentType }: WebhookDelivery, { url, secrets }: WebhookTarget) {
    // Receivers compare this time with their own clock; this service does not read it again.
    const message = { id: messageId, sentAt: new Date(), body };
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
    const { next, wasAsked, status, error, isGone } = decision;
    const isRetry = typeof next === 'number';
    await this.dataSource.transaction(async (manager) => {
      const values = [isRetry ? 'pending' : next, wasAsked ? 1 : 0, status, error];
      await this.rows.finish(manager, leased, isRetry ? next : null, OUTCOME, values);
      const [row]: { turn: number }[] = await manager.query('select turn from webhook_delivery where id = $1', [id]);
      // A server of version 0.1.0 that runs beside this one knows no leases.
      if (row?.turn !== sequence + 1) throw new LeaseLostError(`delivery ${id} was recorded by another server`);
      if (isGone) await this.subscriptions.disable(manager, subscriptionId, 'the receiver answered 410 Gone');
    });
    this.decided.next(decision);
    if (next === 'dead') {
      this.logger.warn(`Delivery ${id} to subscription ${subscriptionId} is given up: ${error} ${status ?? ''}`.trim());
    }
  }
}
