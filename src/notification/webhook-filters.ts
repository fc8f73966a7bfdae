import { AvatarKey } from '../domain/avatar-key.js';
import { DOMAIN_EVENT_NAMES, type DomainEventName } from '../domain/domain-events.js';
import { InvalidRequestError } from '../domain/domain-errors.js';

/** Which events a subscriber hears of, as somebody wrote it down. */
export interface RequestedFilters {
  types?: string[] | undefined;
  platform?: string | null | undefined;
  avatar?: string | null | undefined;
}

/** The same, checked; empty or null: all. */
export interface WebhookFilters {
  types: DomainEventName[];
  platform: string | null;
  /** Compressed hex with `0x`. */
  avatar: string | null;
}

/** Platform values and the deployment's own name look like this; whether this server knows it does not matter for a filter. */
const PLATFORM = /^[a-z][a-z0-9_-]{0,31}$/;

/** @throws InvalidRequestError (`unknown_event_type`, `unknown_platform`, `invalid_public_key`) */
export function webhookFilters({ types = [], platform, avatar }: RequestedFilters): WebhookFilters {
  const unknown = types.find((type) => !isEventName(type));
  if (unknown !== undefined) {
    throw new InvalidRequestError(
      `There is no event type ${JSON.stringify(unknown).slice(0, 100)}; there are ${DOMAIN_EVENT_NAMES.join(', ')}.`,
      'unknown_event_type',
    );
  }
  if (platform && !PLATFORM.test(platform)) {
    throw new InvalidRequestError('platform does not have the form of a platform value.', 'unknown_platform');
  }
  return {
    types: [...new Set(types.filter(isEventName))],
    platform: platform || null,
    avatar: avatar ? AvatarKey.parse(avatar).compressed : null,
  };
}

function isEventName(name: string): name is DomainEventName {
  return DOMAIN_EVENT_NAMES.some((known) => known === name);
}
