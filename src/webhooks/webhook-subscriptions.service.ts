import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, Repository } from 'typeorm';
import { Environment } from '../config/environment.js';
import { InvalidRequestError, LimitExceededError, NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { type RequestedSubscription, WebhookRules } from './webhook-rules.js';
import { newWebhookSecret } from './webhook-message.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** Changes of a subscription; absent members stay. */
export interface SubscriptionChanges extends Partial<RequestedSubscription> {
  isEnabled?: boolean | undefined;
}

/** A subscription together with its secret, which is shown this once. */
export interface SubscriptionWithSecret {
  subscription: WebhookSubscription;
  secret: string;
}

/** Every event is matched against every subscription. */
const MAX_SUBSCRIPTIONS = 200;

export const DISABLED_BY_OPERATOR = 'disabled by an operator';

/** The subscriptions to webhooks, which operators make, list, change and remove. */
@Injectable()
export class WebhookSubscriptions {
  constructor(
    @InjectRepository(WebhookSubscription) private readonly subscriptions: Repository<WebhookSubscription>,
    private readonly rules: WebhookRules,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws InvalidRequestError (`invalid_webhook_url`, `unknown_event_type`, `unknown_platform`,
   *   `invalid_public_key`), LimitExceededError (`too_many_subscriptions`)
   */
  async create(request: RequestedSubscription): Promise<SubscriptionWithSecret> {
    const row = { ...this.rules.check(request), secret: newWebhookSecret() };
    if ((await this.subscriptions.count()) >= MAX_SUBSCRIPTIONS) {
      throw new LimitExceededError(
        `There are ${MAX_SUBSCRIPTIONS} subscriptions, which is the limit; delete one first.`,
        'too_many_subscriptions',
      );
    }
    const { id } = await this.subscriptions.save(this.subscriptions.create(row));
    return { subscription: await this.get(id), secret: row.secret };
  }

  /** Oldest first, without secrets. */
  async list(page: number): Promise<Page<WebhookSubscription>> {
    const [items, total] = await this.subscriptions.findAndCount({
      order: { createdAt: 'asc', id: 'asc' },
      skip: offsetOf(page),
      take: PER_PAGE,
    });
    return { items, total, current: page };
  }

  /** Without secrets. @throws NotFoundError (`subscription_not_found`) */
  async get(id: string): Promise<WebhookSubscription> {
    const found = isUUID(id) ? await this.subscriptions.findOneBy({ id }) : null;
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
    await this.subscriptions.update(id, {
      ...(isChanged && this.rules.check({ ...present, ...given })),
      isEnabled,
      disabledReason: isEnabled ? '' : present.disabledReason || DISABLED_BY_OPERATOR,
    });
    return this.get(id);
  }

  /**
   * Removes it with its log. @throws NotFoundError (`subscription_not_found`), InvalidRequestError
   * (`configured_subscription`)
   */
  async remove(id: string): Promise<void> {
    assertOurs(await this.get(id));
    await this.subscriptions.delete(id);
  }

  /**
   * Makes a new secret; the one before signs beside it for WEBHOOK_SECRET_GRACE_SECONDS.
   * @throws NotFoundError (`subscription_not_found`), InvalidRequestError (`configured_subscription`)
   */
  async rotate(id: string): Promise<SubscriptionWithSecret> {
    assertOurs(await this.get(id));
    const secret = newWebhookSecret();
    const graceSeconds = this.environment.WEBHOOK_SECRET_GRACE_SECONDS;
    await this.subscriptions.update(id, {
      previousSecret: () => 'secret',
      previousSecretUntil: () => `now() + ${graceSeconds} * interval '1 second'`,
      secret,
    });
    return { subscription: await this.get(id), secret };
  }

  /** Disables what answered 410, in the transaction of `manager`. */
  async disableGone(manager: EntityManager, id: string): Promise<void> {
    const disabled = { isEnabled: false, disabledReason: 'the receiver answered 410 Gone' };
    await manager.update(WebhookSubscription, { id, isEnabled: true }, disabled);
  }
}

function assertOurs({ isConfigured }: WebhookSubscription): void {
  if (!isConfigured) return;
  throw new InvalidRequestError(
    'This subscription comes from the setting WEBHOOKS and is changed there; it can only be enabled and disabled here.',
    'configured_subscription',
  );
}
