import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager, type FindOptionsWhere, Repository } from 'typeorm';
import { Environment } from '../config/environment.js';
import { NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { DeadLetters } from '../jobs/dead-letters.js';
import { JobQueues } from '../jobs/job-queues.js';
import { type DeliveryStatus, TEST_TYPE, WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookQueue } from './webhook-queue.js';

/** Which deliveries are asked for; what is absent does not matter. */
export interface DeliveryFilter {
  subscription?: string | undefined;
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
}

/** Beyond this many, the oldest finished deliveries of a subscription go before their time. */
const MAX_ROWS_PER_SUBSCRIPTION = 10_000;
const PRUNE_MS = 10 * 60 * 1000;
const PRUNE_BATCH = 1000;

/** A test that was never finished, because its server died, is done too. */
const IS_FINISHED = `(status <> 'pending' or type = '${TEST_TYPE}')`;

const PRUNE_OLD = `
  delete from webhook_delivery where id in (
    select id from webhook_delivery where ${IS_FINISHED} and created_at < $1 order by created_at limit ${PRUNE_BATCH})
  returning dead_letter_id`;

const PRUNE_MANY = `
  delete from webhook_delivery where id in (
    select id from (
      select id, status, type, row_number() over (partition by subscription_id order by created_at desc, id) as place
      from webhook_delivery) as numbered
    where place > $1 and ${IS_FINISHED} limit ${PRUNE_BATCH})
  returning dead_letter_id`;

const REPLAY = `
  update webhook_delivery set status = 'pending', turn = turn + 1, attempts = 0, round_started_at = $2, next_attempt_at = $2, dead_letter_id = null
  where id = $1 returning turn`;

/** The log of what was sent to whom. */
@Injectable()
export class WebhookLog {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly jobs: JobQueues,
    private readonly deadLetters: DeadLetters,
    private readonly queue: WebhookQueue,
    private readonly environment: Environment,
  ) {}

  /** Newest first. */
  async list({ subscription, status, type }: DeliveryFilter, page: number): Promise<Page<WebhookDelivery>> {
    if (subscription !== undefined && !isUUID(subscription)) return { items: [], total: 0, current: page };
    const where: FindOptionsWhere<WebhookDelivery> = {
      ...(subscription !== undefined && { subscriptionId: subscription }),
      ...(status !== undefined && { status }),
      ...(type !== undefined && { type }),
    };
    const [items, total] = await this.deliveries.findAndCount({
      where,
      order: { createdAt: 'desc', id: 'asc' },
      skip: offsetOf(page),
      take: PER_PAGE,
    });
    return { items, total, current: page };
  }

  /** @throws NotFoundError (`delivery_not_found`) */
  async get(id: string): Promise<WebhookDelivery> {
    const found = isUUID(id) ? await this.deliveries.findOneBy({ id }) : null;
    if (found) return found;
    throw new NotFoundError(`There is no delivery ${id}.`, 'delivery_not_found');
  }

  /**
   * Sends a message again from the beginning of the schedule, with the same `webhook-id`, whatever came of it before;
   * one that waits for its next attempt gets it now.
   * @throws NotFoundError (`delivery_not_found`)
   */
  async replay(id: string, now: Date): Promise<WebhookDelivery> {
    const { deadLetterId } = await this.get(id);
    await this.dataSource.transaction(async (manager) => {
      const [[row]] = (await manager.query(REPLAY, [id, now])) as [{ turn: number }[], number];
      if (!row) return;
      if (deadLetterId) await this.deadLetters.discard(manager, this.queue, [deadLetterId]);
      await this.jobs.send(manager, this.queue, { delivery: id, turn: row.turn });
    });
    return this.get(id);
  }

  @Interval(PRUNE_MS)
  async tick(): Promise<void> {
    await this.prune(new Date()).catch(() => {
      // The next tick finds the same rows.
    });
  }

  /** Forgets finished deliveries that are too old or too many, and the dead letters that speak of them; how many. */
  async prune(now: Date, maxRows = MAX_ROWS_PER_SUBSCRIPTION): Promise<number> {
    const cutoff = new Date(now.getTime() - this.environment.WEBHOOK_LOG_DAYS * 24 * 3600 * 1000);
    return (await this.pruneAll(PRUNE_OLD, cutoff)) + (await this.pruneAll(PRUNE_MANY, maxRows));
  }

  private async pruneAll(sql: string, limit: Date | number): Promise<number> {
    let pruned = 0;
    for (;;) {
      const batch = await this.dataSource.transaction((manager) => this.pruneBatch(manager, sql, limit));
      pruned += batch;
      if (batch < PRUNE_BATCH) return pruned;
    }
  }

  private async pruneBatch(manager: EntityManager, sql: string, limit: Date | number): Promise<number> {
    const [rows] = (await manager.query(sql, [limit])) as [{ dead_letter_id: string | null }[], number];
    const letters = rows.flatMap((row) => row.dead_letter_id ?? []);
    if (letters.length > 0) await this.deadLetters.discard(manager, this.queue, letters);
    return rows.length;
  }
}
