import { ApiProperty } from '@nestjs/swagger';

/** Work that failed for good. */
export class DeadLetterDto {
  @ApiProperty({ description: 'Id of the dead letter.', format: 'uuid' })
  id: string;

  @ApiProperty({ description: 'The queue it came from.', example: 'webhook' })
  queue: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What the job carries.' })
  data: object;

  @ApiProperty({ description: 'What went wrong the last time.', example: 'unreachable' })
  error: string;

  @ApiProperty({ description: 'UNIX seconds.', example: '1763700000' })
  failed_at: string;
}
