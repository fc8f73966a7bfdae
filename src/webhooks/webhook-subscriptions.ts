import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { InvalidRequestError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { TableColumns } from '../database/table-columns.js';
import { LimitExceededError, NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { type CheckedSubscription, type RequestedSubscription, WebhookRules } from './webhook-rules.js';
import { newWebhookSecret } from './webhook-message.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** Changes of a subscription; absent members stay. */
export interface SubscriptionChanges extends Partial<RequestedSubscription> {
  isEnabled?: boolean | undefined;
}

export interface SubscriptionWithSecret {
  subscription: WebhookSubscription;
  secret: string;
}

/** Every event is matched against every subscription. */
const MAX_SUBSCRIPTIONS = 200;

export const DISABLED_BY_OPERATOR = 'disabled by an operator';

/** What may be shown: all but the secrets. */
const SHOWN = TableColumns.of(WebhookSubscription)
  .without('secret', 'previousSecret')
  .selectedFrom('webhook_subscription');

const CREATE = `
  insert into webhook_subscription (secret, url, types, platform, avatar, format)
  values ($1, $2, $3, $4, $5, $6) returning ${SHOWN}`;
const LIST = `select ${SHOWN} from webhook_subscription order by created_at, id limit ${PER_PAGE} offset $1`;
const FIND = `select ${SHOWN} from webhook_subscription where id = $1`;
const ENABLE = 'update webhook_subscription set is_enabled = $2, disabled_reason = $3';
const CHANGE = `${ENABLE}, url = $4, types = $5, platform = $6, avatar = $7, format = $8`;
const ROTATE = `
  update webhook_subscription
  set previous_secret = secret, previous_secret_until = now() + $3::float8 * interval '1 second', secret = $2
  where id = $1`;
const DISABLE = `
  update webhook_subscription set is_enabled = false, disabled_reason = 'the receiver answered 410 Gone'
  where id = $1 and is_enabled`;

/** The subscriptions to webhooks, which operators make, list, change and remove. */
@Injectable()
export class WebhookSubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rules: WebhookRules,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws InvalidRequestError (`invalid_webhook_url`, `unknown_event_type`, `unknown_platform`,
   *   `invalid_public_key`), LimitExceededError (`too_many_subscriptions`)
   */
  async create(request: RequestedSubscription): Promise<SubscriptionWithSecret> {
    const checked = this.rules.check(request);
    if ((await this.count()) >= MAX_SUBSCRIPTIONS) {
      throw new LimitExceededError(
        `There are ${MAX_SUBSCRIPTIONS} subscriptions, which is the limit; delete one first.`,
        'too_many_subscriptions',
      );
    }
    const secret = newWebhookSecret();
    const rows: WebhookSubscription[] = await this.dataSource.query(CREATE, [secret, ...valuesOf(checked)]);
    return { subscription: rows[0]!, secret };
  }

  /** Oldest first, without secrets. */
  async list(page: number): Promise<Page<WebhookSubscription>> {
    const items: WebhookSubscription[] = await this.dataSource.query(LIST, [offsetOf(page)]);
    return { items, total: await this.count(), current: page };
  }

  /** Without secrets. @throws NotFoundError (`subscription_not_found`) */
  async get(id: string): Promise<WebhookSubscription> {
    const [found] = isUUID(id) ? ((await this.dataSource.query(FIND, [id])) as WebhookSubscription[]) : [];
    if (found) return found;
    throw new NotFoundError(`There is no subscription ${id}.`, 'subscription_not_found');
  }

  /**
   * @throws NotFoundError (`subscription_not_found`), InvalidRequestError as `create`, and `configured_subscription`
   *   where the setting WEBHOOKS rules: then only `isEnabled` can be changed.
   */
  async update(id: string, changes: SubscriptionChanges): Promise<WebhookSubscription> {
    const present = await this.get(id);
    const { isEnabled = present.isEnabled, ...requested } = changes;
    const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined));
    const isChanged = Object.keys(given).length > 0;
    if (isChanged) assertOurs(present);
    const changed = isChanged ? valuesOf(this.rules.check({ ...present, ...given })) : [];
    const disabledReason = isEnabled ? '' : present.disabledReason || DISABLED_BY_OPERATOR;
    const sql = `${isChanged ? CHANGE : ENABLE} where id = $1`;
    await this.dataSource.query(sql, [id, isEnabled, disabledReason, ...changed]);
    return this.get(id);
  }

  /**
   * Removes it with its log. @throws NotFoundError (`subscription_not_found`), InvalidRequestError
   * (`configured_subscription`)
   */
  async remove(id: string): Promise<void> {
    assertOurs(await this.get(id));
    await this.dataSource.query('delete from webhook_subscription where id = $1', [id]);
  }

  /**
   * Makes a new secret; the one before signs beside it for WEBHOOK_SECRET_GRACE_SECONDS.
   * @throws NotFoundError (`subscription_not_found`), InvalidRequestError (`configured_subscription`)
   */
  async rotate(id: string): Promise<SubscriptionWithSecret> {
    assertOurs(await this.get(id));
    const secret = newWebhookSecret();
    await this.dataSource.query(ROTATE, [id, secret, this.environment.WEBHOOK_SECRET_GRACE_SECONDS]);
    return { subscription: await this.get(id), secret };
  }

  /** Disables what answered 410, in the transaction of `manager`. */
  async disableGone(manager: EntityManager, id: string): Promise<void> {
    await manager.query(DISABLE, [id]);
  }

  private async count(): Promise<number> {
    const sql = 'select count(*)::int as total from webhook_subscription';
    const [row]: { total: number }[] = await this.dataSource.query(sql);
    return row!.total;
  }
}

function valuesOf({ url, types, platform, avatar, format }: CheckedSubscription): unknown[] {
  return [url, types, platform, avatar, format];
}

function assertOurs({ isConfigured }: WebhookSubscription): void {
  if (!isConfigured) return;
  throw new InvalidRequestError(
    'This subscription comes from the setting WEBHOOKS and is changed there; it can only be enabled and disabled here.',
    'configured_subscription',
  );
}
