import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { changeInBatches } from '../database/changes.js';
import { TableColumns } from '../database/table-columns.js';
import { isPast } from '../database/time-sql.js';
import type { DeliveryStatus } from '../deliveries/delivery.js';
import { NotFoundError } from '../domain/domain-errors.js';
import type { Page } from '../domain/page.js';
import { readListedPage } from '../http/listed-page.js';
import { JobQueues } from '../jobs/job-queues.js';
import { TEST_TYPE, WebhookDelivery } from './webhook-delivery.entity.js';
import { WEBHOOK_QUEUE } from './webhook-work.js';

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

const COLUMNS = TableColumns.of(WebhookDelivery).selectedFrom('webhook_delivery');
const FILTERED = `
  from webhook_delivery
  where ($1::uuid is null or subscription_id = $1) and ($2::text is null or status = $2) and ($3::text is null or type = $3)`;
const FIND = `select ${COLUMNS} from webhook_delivery where id = $1`;

/** A test that was never finished, because its server died, is done too. */
const IS_FINISHED = `(status <> 'pending' or type = '${TEST_TYPE}')`;

const PRUNE_OLD = `
  delete from webhook_delivery where id in (
    select id from webhook_delivery where ${IS_FINISHED} and ${isPast('created_at', '$1', '$2')} order by created_at limit ${PRUNE_BATCH})`;

/**
 * Deletes the finished deliveries after the newest ones of each subscription. The index of the log finds them without
 * reading the others.
 */
const PRUNE_MANY = `
  delete from webhook_delivery where id in (
    select many.id from webhook_subscription subscription
    cross join lateral (
      select id from (
        select id, status, type from webhook_delivery where subscription_id = subscription.id
        order by created_at desc, id offset $1
      ) as beyond where ${IS_FINISHED} limit ${PRUNE_BATCH}
    ) as many limit ${PRUNE_BATCH})`;

/** The log of what was sent to whom. */
@Injectable()
export class WebhookLog {
  private readonly logger = new Logger('WebhookLog');

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobQueues,
    private readonly environment: Environment,
  ) {}

  /** Newest first. @throws InvalidRequestError (`page_too_deep`) */
  async list({ subscription, status, type }: DeliveryFilter, page: number): Promise<Page<WebhookDelivery>> {
    if (subscription !== undefined && !isUUID(subscription)) return { items: [], total: 0, current: page };
    const list = {
      columns: COLUMNS,
      rows: FILTERED,
      order: 'created_at desc, id',
      values: [subscription, status, type],
    };
    return readListedPage(this.dataSource, list, page);
  }

  /** @throws NotFoundError (`delivery_not_found`) */
  async get(id: string): Promise<WebhookDelivery> {
    const [found] = isUUID(id) ? await this.dataSource.query<WebhookDelivery[]>(FIND, [id]) : [];
    if (found) return found;
    throw new NotFoundError(`There is no delivery ${id}.`, 'delivery_not_found');
  }

  /**
   * Sends a message again from the beginning of the schedule, with the same `webhook-id`, in any state of its delivery;
   * one that waits for its next attempt gets it now.
   * @throws NotFoundError (`delivery_not_found`)
   */
  async replay(id: string): Promise<WebhookDelivery> {
    await this.get(id);
    await this.jobs.revive(WEBHOOK_QUEUE, 'id = $1', [id]);
    return this.get(id);
  }

  @Interval(PRUNE_MS)
  async tick(): Promise<void> {
    // The next tick finds the same rows.
    await this.prune().catch((error: unknown) => {
      this.logger.warn(`Old deliveries could not be deleted: ${(error as Error).message}`);
    });
  }

  /**
   * Forgets finished deliveries that are too many, or too old by the clock of the database and at `now`, and with them
   * their dead letters. Returns how many.
   */
  async prune(maxRows = MAX_ROWS_PER_SUBSCRIPTION, now = new Date()): Promise<number> {
    const { WEBHOOK_LOG_DAYS } = this.environment;
    const old = await changeInBatches(this.dataSource, PRUNE_BATCH, PRUNE_OLD, [WEBHOOK_LOG_DAYS, now]);
    return old + (await changeInBatches(this.dataSource, PRUNE_BATCH, PRUNE_MANY, [maxRows]));
  }
}
