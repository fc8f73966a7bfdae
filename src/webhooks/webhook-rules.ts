import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '@signet/look';
import { guardOperatorUrl, guardUserUrl } from '@signet/look/internal';
import { Environment } from '../config/environment.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { parseEventName } from '../domain/domain-events.js';
import { PlatformService } from '../platform/platform.service.js';
import { EVENT_FORMATS, type EventFormat } from '../events/cloud-event.js';
import type { WebhookSubscription } from './webhook-subscription.entity.js';

const MAX_URL_CHARS = 2048;

/** A subscription before its check; `''` and an empty list mean all. */
export interface RequestedSubscription {
  url: string;
  types?: string[] | undefined;
  platform?: string | null | undefined;
  avatar?: string | null | undefined;
  format?: string | undefined;
}

/** A subscription after its check. */
export type CheckedSubscription = Pick<WebhookSubscription, 'url' | 'types' | 'platform' | 'avatar' | 'format'>;

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
  check(request: RequestedSubscription): CheckedSubscription {
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

/**
 * The URL of a receiver in its normal form. Unless `allowsPrivate`: https, port 443 and a public name; where that name
 * leads is judged at every delivery.
 * @throws InvalidRequestError (`invalid_webhook_url`); the message does not repeat the URL, which may hold a secret.
 */
function webhookTarget(text: string, allowsPrivate: boolean): string {
  if (text.length > MAX_URL_CHARS) throw refused(`it has ${text.length} characters, and ${MAX_URL_CHARS} are allowed`);
  const url = parse(text, allowsPrivate);
  if (url.username !== '' || url.password !== '') {
    throw refused('a user name or password has no place in it; the signature shows who sent a message');
  }
  url.hash = '';
  return url.href;
}

function parse(text: string, allowsPrivate: boolean): URL {
  try {
    return allowsPrivate ? guardOperatorUrl(text) : guardUserUrl(text);
  } catch {
    throw refused(
      allowsPrivate
        ? 'expected an http or https URL'
        : 'expected an https URL with a public host name and no port of its own (or WEBHOOK_ALLOW_PRIVATE=true)',
    );
  }
}

function refused(why: string): InvalidRequestError {
  return new InvalidRequestError(`The URL cannot be used for webhooks: ${why}.`, 'invalid_webhook_url');
}
