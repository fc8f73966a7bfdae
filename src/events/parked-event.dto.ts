import { ApiProperty } from '@nestjs/swagger';
import { DOMAIN_EVENT_NAMES } from '../domain/domain-events.js';

/** An event that one listener could not handle; the other listeners had it. */
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
