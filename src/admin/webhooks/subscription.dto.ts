import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsOptional, IsString } from 'class-validator';
import { AVATAR_KEY_FORM } from '../../domain/avatar-key.js';
import { DOMAIN_EVENT_NAMES } from '../../domain/domain-events.js';
import type { Page } from '../../domain/page.js';
import { unixSecondsText } from '../../domain/unix-time.js';
import { PagedDto, toPagination } from '../../http/validation/paging.js';
import { OptionalText, RequiredText } from '../../http/validation/fields.js';
import { EVENT_FORMATS } from '../../events/cloud-event.js';
import type { WebhookSubscription } from '../../webhooks/webhook-subscription.entity.js';
import type { SubscriptionWithSecret } from '../../webhooks/webhook-subscriptions.js';
import { ID_EXAMPLE } from '../admin-controller.js';

const URL_EXAMPLE = 'https://hooks.example.org/signet';
const AVATAR_EXAMPLE = '0x03c72cf808f488df6a100fe3b8b3d1972a79b71d7996b2e91fd4141ceec94eba2f';

class FiltersDto {
  @ApiPropertyOptional({
    description: 'Event types; absent or empty: all.',
    enum: DOMAIN_EVENT_NAMES,
    enumName: 'EventType',
    isArray: true,
    example: ['proof.bound', 'proof.revoked'],
  })
  @IsOptional()
  @IsArray({ message: 'types must be a list of event types' })
  @IsString({ each: true, message: 'types must be a list of event types' })
  types?: string[];

  @OptionalText('must be text', {
    description: 'Only events of this platform; absent or empty: all.',
    example: 'github',
  })
  platform?: string;

  @OptionalText('must be text', {
    description: 'Only events of this Avatar (0x and 66 or 130 hex digits); absent or empty: all.',
    pattern: `${AVATAR_KEY_FORM}|^$`,
    example: AVATAR_EXAMPLE,
  })
  avatar?: string;

  @OptionalText('must be text', {
    description:
      'Form of the body: our own (Standard Webhooks), or an event of CloudEvents 1.0. Both are signed alike.',
    enum: EVENT_FORMATS,
    enumName: 'EventFormat',
    example: 'standard',
  })
  format?: string;
}

export class SubscriptionRequestDto extends FiltersDto {
  @RequiredText({
    description: 'Where to post. https on a public host, unless WEBHOOK_ALLOW_PRIVATE is set.',
    example: URL_EXAMPLE,
  })
  url: string;
}

/** Changes of a subscription; absent members stay as they are. */
export class SubscriptionChangesDto extends FiltersDto {
  @OptionalText('must be text', { description: 'Where to post from now on.', minLength: 1, example: URL_EXAMPLE })
  url?: string;

  @ApiPropertyOptional({ description: 'False: nothing is sent until it is enabled again.', example: true })
  @IsOptional()
  @IsBoolean({ message: 'enabled must be true or false' })
  enabled?: boolean;
}

export class SubscriptionDto {
  @ApiProperty({ description: 'Id of the subscription.', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ description: 'Where its messages are posted to.', example: URL_EXAMPLE })
  url: string;

  @ApiProperty({ description: 'Empty: all.', enum: DOMAIN_EVENT_NAMES, enumName: 'EventType', isArray: true })
  types: string[];

  @ApiProperty({ description: '`""`: all.', example: 'github' })
  platform: string;

  @ApiProperty({ description: '`""`: all.', example: AVATAR_EXAMPLE })
  avatar: string;

  @ApiProperty({
    description: 'Form of the body.',
    enum: EVENT_FORMATS,
    enumName: 'EventFormat',
    example: 'standard',
  })
  format: string;

  @ApiProperty({ description: 'Whether anything is sent.', example: true })
  enabled: boolean;

  @ApiProperty({ description: '`""` while enabled.', example: 'the receiver answered 410 Gone' })
  disabled_reason: string;

  @ApiProperty({ description: 'Whether the setting WEBHOOKS names it; then it is changed there.', example: false })
  configured: boolean;

  @ApiProperty({
    description: 'UNIX seconds until which the secret before the last rotation still signs; `""` if there is none.',
    example: '',
  })
  previous_secret_until: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700000' })
  created_at: string;
}

export class SubscriptionWithSecretDto extends SubscriptionDto {
  @ApiProperty({
    description: 'Signs every message (Standard Webhooks). It is shown this once.',
    example: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  })
  secret: string;
}

export class SubscriptionListDto extends PagedDto {
  @ApiProperty({ type: [SubscriptionDto], description: 'Oldest first, without their secrets.' })
  subscriptions: SubscriptionDto[];
}

export function toSubscription(row: WebhookSubscription): SubscriptionDto {
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    platform: row.platform ?? '',
    avatar: row.avatar ?? '',
    format: row.format,
    enabled: row.isEnabled,
    disabled_reason: row.disabledReason,
    configured: row.isConfigured,
    previous_secret_until: row.previousSecretUntil ? unixSecondsText(row.previousSecretUntil) : '',
    created_at: unixSecondsText(row.createdAt),
  };
}

export function toSubscriptionWithSecret({ subscription, secret }: SubscriptionWithSecret): SubscriptionWithSecretDto {
  return { ...toSubscription(subscription), secret };
}

export function toSubscriptionList(page: Page<WebhookSubscription>): SubscriptionListDto {
  return { pagination: toPagination(page), subscriptions: page.items.map(toSubscription) };
}
