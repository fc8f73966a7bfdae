import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { type DomainEventName, parseEventName } from '../domain/domain-events.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { PlatformService } from '../platform/platform.service.js';
import { EVENT_FORMATS, type EventFormat } from '../events/cloud-event.js';
import { webhookTarget } from './webhook-target.js';

/** The filters of a subscription before their check; `''` and an empty list mean all. */
interface RequestedFilters {
  types?: string[] | undefined;
  platform?: string | null | undefined;
  avatar?: string | null | undefined;
  format?: string | undefined;
}

export interface RequestedSubscription extends RequestedFilters {
  url: string;
}

/** The filters of a subscription after their check. An empty list or null means all. */
export interface WebhookFilters {
  types: DomainEventName[];
  platform: string | null;
  /** Compressed hex with `0x`. */
  avatar: string | null;
  format: EventFormat;
}

/** Checks subscriptions, both those from requests and those of the setting. */
@Injectable()
export class WebhookRules {
  constructor(
    private readonly environment: Environment,
    private readonly platforms: PlatformService,
  ) {}

  /**
   * @throws InvalidRequestError (`invalid_webhook_url`, `unknown_event_type`, `unknown_platform`,
   *   `invalid_public_key`); no message repeats the URL.
   */
  check(request: RequestedSubscription): WebhookFilters & { url: string } {
    const { types = [], platform, avatar, format = 'standard' } = request;
    // Content of the key itself has the deployment's own name as its platform.
    if (platform && platform !== this.environment.SERVICE_NAME) this.platforms.get(platform);
    return {
      url: webhookTarget(request.url, this.environment.WEBHOOK_ALLOW_PRIVATE),
      types: [...new Set(types.map(parseEventName))],
      platform: platform || null,
      avatar: avatar ? AvatarKey.parse(avatar).compressed : null,
      format: toFormat(format),
    };
  }
}

function toFormat(text: string): EventFormat {
  const format = EVENT_FORMATS.find((known) => known === text);
  if (format) return format;
  throw new InvalidRequestError(`format must be one of ${EVENT_FORMATS.join(', ')}.`);
}
