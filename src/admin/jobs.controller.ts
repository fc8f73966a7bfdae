import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Answers, EmptyAnswer } from '../http/answers.js';
import { OptionalText } from '../http/validation/fields.js';
import { PagedDto, PageQueryDto, toPagination } from '../http/validation/paging.js';
import { DeadLetterDto } from '../jobs/dead-letter.dto.js';
import { DeadLetters } from '../jobs/dead-letters.js';
import { JobQueues } from '../jobs/job-queues.js';
import { SearchUpkeep } from '../proof/look-up/search-upkeep.js';
import { AdminController, IdParam } from './admin-controller.js';

/** Milliseconds after which the queues are shown without that of searches. */
const SEARCH_PATIENCE_MS = 2000;

class QueueDto {
  @ApiProperty({ description: 'Name of the queue.', example: 'webhook' })
  queue: string;

  @ApiProperty({ description: 'Jobs that are to come, those for later included.' })
  waiting: number;

  @ApiProperty({ description: 'Jobs that a server is busy with.' })
  running: number;

  @ApiProperty({ description: 'Dead letters.' })
  dead: number;
}

class QueueListDto {
  @ApiProperty({
    type: [QueueDto],
    description:
      'All queues, and `search`: bindings that are not in the index of searches yet; it is absent while they cannot be counted.',
  })
  queues: QueueDto[];
}

class DeadLettersQueryDto extends PageQueryDto {
  @OptionalText('must be one name', { description: 'Only those of this queue.', example: 'webhook' })
  queue?: string;
}

class ReplayRequestDto {
  @OptionalText('must be text', { description: 'Only those of this queue; absent: all.', example: 'webhook' })
  queue?: string;
}

class ReplayResponseDto {
  @ApiProperty({ description: 'How many dead letters are jobs again.', example: 3 })
  replayed: number;
}

class DeadLetterListDto extends PagedDto {
  @ApiProperty({ type: [DeadLetterDto], description: 'Newest first.' })
  dead_letters: DeadLetterDto[];
}

@AdminController('')
export class JobsController {
  constructor(
    private readonly queues: JobQueues,
    private readonly letters: DeadLetters,
    private readonly searches: SearchUpkeep,
  ) {}

  @Get('jobs')
  @Answers(QueueListDto, 'How many jobs wait, run and have failed for good')
  async listJobs(): Promise<QueueListDto> {
    const depths = await this.queues.depths();
    const queues = depths.map(({ queue, ready, deferred, running, dead }) => {
      return { queue, waiting: ready + deferred, running, dead };
    });
    const lag = await this.searches.lagWithin(SEARCH_PATIENCE_MS);
    return { queues: lag ? [...queues, { queue: 'search', waiting: lag.waiting, running: 0, dead: 0 }] : queues };
  }

  @Get('dead-letters')
  @Answers(DeadLetterListDto, 'Jobs that have failed for good, newest first')
  async listDeadLetters(@Query() { queue, page }: DeadLettersQueryDto): Promise<DeadLetterListDto> {
    const found = await this.letters.list(queue, page);
    return { pagination: toPagination(found), dead_letters: found.items };
  }

  @Post('dead-letters/replay')
  @Answers(ReplayResponseDto, 'Make jobs of dead letters again, of all or of those of one queue')
  async replayDeadLetters(@Body() { queue }: ReplayRequestDto): Promise<ReplayResponseDto> {
    return { replayed: await this.letters.replayAll(queue) };
  }

  @Post('dead-letters/:id/replay')
  @IdParam('dead letter')
  @Answers(ReplayResponseDto, 'Make a job of one dead letter again')
  async replayDeadLetter(@Param('id') id: string): Promise<ReplayResponseDto> {
    await this.letters.replay(id);
    return { replayed: 1 };
  }

  @Delete('dead-letters/:id')
  @IdParam('dead letter')
  @Answers(EmptyAnswer, 'Forget a dead letter', 'It is done.')
  async deleteDeadLetter(@Param('id') id: string): Promise<EmptyAnswer> {
    await this.letters.drop(id);
    return {};
  }
}
