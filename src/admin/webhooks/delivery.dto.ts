import { ApiProperty } from '@nestjs/swagger';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../deliveries/delivery.js';
import { DOMAIN_EVENT_NAMES } from '../../domain/domain-events.js';
import type { Page } from '../../domain/page.js';
import { unixSecondsText } from '../../domain/unix-time.js';
import { OptionalChoice, OptionalText } from '../../http/validation/fields.js';
import { PagedDto, PageQueryDto, toPagination } from '../../http/validation/paging.js';
import { TEST_TYPE, type WebhookDelivery } from '../../webhooks/webhook-delivery.entity.js';
import { ID_EXAMPLE } from '../admin-controller.js';

const TYPES = [...DOMAIN_EVENT_NAMES, TEST_TYPE];

export class SubscriptionDeliveriesQueryDto extends PageQueryDto {
  @OptionalChoice(DELIVERY_STATUSES, { description: 'Only deliveries in this state.', enumName: 'DeliveryStatus' })
  status?: DeliveryStatus;

  @OptionalChoice(TYPES, { description: 'Only messages of this type.', enumName: 'MessageType' })
  type?: string;
}

export class DeliveriesQueryDto extends SubscriptionDeliveriesQueryDto {
  @OptionalText('must be one id', {
    description: 'Only deliveries of the subscription with this id.',
    example: ID_EXAMPLE,
  })
  subscription?: string;
}

export class DeliveryDto {
  @ApiProperty({ description: 'Id of the delivery.', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ description: 'Id of the subscription.', format: 'uuid', example: ID_EXAMPLE })
  subscription: string;

  @ApiProperty({ description: 'The header `webhook-id`: the same in every attempt.', format: 'uuid' })
  message_id: string;

  @ApiProperty({ description: 'Type of the message.', enum: TYPES, enumName: 'MessageType' })
  type: string;

  @ApiProperty({ description: 'How far it has come.', enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus' })
  status: DeliveryStatus;

  @ApiProperty({ description: 'Requests since the first attempt or the last replay.', example: 1 })
  attempts: number;

  @ApiProperty({ description: 'UNIX seconds; `""` if no attempt is to come.', example: '' })
  next_attempt_at: string;

  @ApiProperty({ description: 'UNIX seconds; `""` before the first attempt.', example: '1763700000' })
  last_attempt_at: string;

  @ApiProperty({ description: 'What the receiver answered last; 0 if no answer came.', example: 204 })
  last_status: number;

  @ApiProperty({
    description:
      'What went wrong last, `""` if nothing did: bad_status, redirected, gone, disabled, refused, unreachable, slow, unusable, too_large, ' +
      'or (not even tried) paused, limited, busy.',
    example: '',
  })
  last_error: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700000' })
  created_at: string;
}

/** One delivery, with what is sent. */
export class DeliveryWithBodyDto extends DeliveryDto {
  @ApiProperty({ description: 'The exact text that is sent and signed.' })
  body: string;
}

export class DeliveryListDto extends PagedDto {
  @ApiProperty({ type: [DeliveryDto], description: 'Newest first, without bodies.' })
  deliveries: DeliveryDto[];
}

export function toDelivery(row: WebhookDelivery): DeliveryDto {
  return {
    id: row.id,
    subscription: row.subscriptionId,
    message_id: row.messageId,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt ? unixSecondsText(row.nextAttemptAt) : '',
    last_attempt_at: row.lastAttemptAt ? unixSecondsText(row.lastAttemptAt) : '',
    last_status: row.lastStatus ?? 0,
    last_error: row.lastError,
    created_at: unixSecondsText(row.createdAt),
  };
}

export function toDeliveryWithBody(row: WebhookDelivery): DeliveryWithBodyDto {
  return { ...toDelivery(row), body: row.body };
}

export function toDeliveryList(page: Page<WebhookDelivery>): DeliveryListDto {
  return { pagination: toPagination(page), deliveries: page.items.map(toDelivery) };
}
