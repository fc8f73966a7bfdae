import { ApiProperty } from '@nestjs/swagger';
import { DOMAIN_EVENT_NAMES } from '../domain/domain-events.js';
import type { Page } from '../domain/page.js';
import { unixSecondsText } from '../domain/unix-time.js';
import type { ParkedEvent } from '../events/parked-events.js';
import { PaginationDto, toPagination } from '../http/validation/paging.js';

export class ParkedEventDto {
  @ApiProperty({ description: 'The part of the service that could not take it.', example: 'notification' })
  handler: string;

  @ApiProperty({ description: 'Position in the stream of events.', example: 42 })
  position: number;

  @ApiProperty({ description: 'Id of the event.', format: 'uuid' })
  event_id: string;

  @ApiProperty({ description: 'Type of the event.', enum: DOMAIN_EVENT_NAMES, enumName: 'EventType' })
  type: string;

  @ApiProperty({ description: 'What the event says.', type: 'object', additionalProperties: true })
  payload: object;

  @ApiProperty({ description: 'What went wrong the last time.' })
  error: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700000' })
  recorded_at: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700300' })
  parked_at: string;
}

export class ParkedEventListDto {
  @ApiProperty()
  pagination: PaginationDto;

  @ApiProperty({ type: [ParkedEventDto], description: 'Newest first.' })
  parked_events: ParkedEventDto[];
}

export function toParkedEventList(page: Page<ParkedEvent>): ParkedEventListDto {
  const events = page.items.map((event) => ({
    handler: event.listener,
    position: event.position,
    event_id: event.eventId,
    type: event.name,
    payload: event.payload,
    error: event.error,
    recorded_at: unixSecondsText(event.recordedAt),
    parked_at: unixSecondsText(event.parkedAt),
  }));
  return { pagination: toPagination(page), parked_events: events };
}
