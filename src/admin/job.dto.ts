import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../domain/page.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { OptionalText } from '../http/validation/fields.js';
import { PageQueryDto, PaginationDto, toPagination } from '../http/validation/paging.js';
import type { DeadLetter } from '../jobs/dead-letters.js';

export class QueueDto {
  @ApiProperty({ description: 'Name of the queue.', example: 'webhook' })
  queue: string;

  @ApiProperty({ description: 'Jobs that are to come, those for later included.' })
  waiting: number;

  @ApiProperty({ description: 'Jobs that a server is busy with.' })
  running: number;

  @ApiProperty({ description: 'Dead letters.' })
  dead: number;
}

export class QueueListDto {
  @ApiProperty({ type: [QueueDto], description: 'All queues.' })
  queues: QueueDto[];
}

export class DeadLettersQueryDto extends PageQueryDto {
  @OptionalText('must be one name', { description: 'Only those of this queue.', example: 'webhook' })
  queue?: string;
}

export class ReplayRequestDto {
  @OptionalText('must be text', { description: 'Only those of this queue; absent: all.', example: 'webhook' })
  queue?: string;
}

export class ReplayResponseDto {
  @ApiProperty({ description: 'How many dead letters are jobs again.', example: 3 })
  replayed: number;
}

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

export class DeadLetterListDto {
  @ApiProperty()
  pagination: PaginationDto;

  @ApiProperty({ type: [DeadLetterDto], description: 'Newest first.' })
  dead_letters: DeadLetterDto[];
}

export function toDeadLetterList(page: Page<DeadLetter>): DeadLetterListDto {
  const letters = page.items.map(({ id, queue, data, error, failedAt }) => ({
    id,
    queue,
    data,
    error,
    failed_at: unixSecondsText(failedAt),
  }));
  return { pagination: toPagination(page), dead_letters: letters };
}
