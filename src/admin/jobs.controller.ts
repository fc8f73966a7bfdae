import { Body, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { EmptyAnswer } from '../http/empty-answer.js';
import { DeadLetters } from '../jobs/dead-letters.js';
import { JobQueues } from '../jobs/job-queues.js';
import { AdminController } from './admin-controller.js';
import {
  DeadLetterListDto,
  DeadLettersQueryDto,
  QueueListDto,
  ReplayRequestDto,
  ReplayResponseDto,
  toDeadLetterList,
} from './job.dto.js';
import { IdParam } from './id-param.js';

@AdminController('')
export class JobsController {
  constructor(
    private readonly queues: JobQueues,
    private readonly letters: DeadLetters,
  ) {}

  @Get('jobs')
  @ApiOperation({ operationId: 'listJobs', summary: 'How many jobs wait, run and have failed for good' })
  @ApiOkResponse({ type: QueueListDto })
  async list(): Promise<QueueListDto> {
    const depths = await this.queues.depths();
    return {
      queues: depths.map(({ queue, ready, deferred, running, dead }) => ({
        queue,
        waiting: ready + deferred,
        running,
        dead,
      })),
    };
  }

  @Get('dead-letters')
  @ApiOperation({ operationId: 'listDeadLetters', summary: 'Jobs that have failed for good, newest first' })
  @ApiOkResponse({ type: DeadLetterListDto })
  async deadLetters(@Query() { queue, page }: DeadLettersQueryDto): Promise<DeadLetterListDto> {
    return toDeadLetterList(await this.letters.list(queue, page));
  }

  @Post('dead-letters/replay')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'replayDeadLetters',
    summary: 'Make jobs of dead letters again, of all or of those of one queue',
  })
  @ApiOkResponse({ type: ReplayResponseDto })
  async replayAll(@Body() { queue }: ReplayRequestDto): Promise<ReplayResponseDto> {
    return { replayed: await this.letters.replayAll(queue) };
  }

  @Post('dead-letters/:id/replay')
  @IdParam('dead letter')
  @HttpCode(200)
  @ApiOperation({ operationId: 'replayDeadLetter', summary: 'Make a job of one dead letter again' })
  @ApiOkResponse({ type: ReplayResponseDto })
  async replay(@Param('id') id: string): Promise<ReplayResponseDto> {
    await this.letters.replay(id);
    return { replayed: 1 };
  }

  @Delete('dead-letters/:id')
  @IdParam('dead letter')
  @ApiOperation({ operationId: 'deleteDeadLetter', summary: 'Forget a dead letter' })
  @ApiOkResponse({ type: EmptyAnswer, description: 'It is done.' })
  async drop(@Param('id') id: string): Promise<Record<string, never>> {
    await this.letters.drop(id);
    return {};
  }
}
