import { applyDecorators, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { ParkedEvents } from '../events/parked-events.js';
import { EmptyAnswer } from '../http/empty-answer.js';
import { Refusals } from '../http/error-body.js';
import { AdminController } from './admin-controller.js';
import { ParkedEventListDto, toParkedEventList } from './parked-event.dto.js';
import { PageQueryDto } from '../http/validation/paging.js';

const HANDLER_PATTERN = /^[a-z][a-z0-9-]{0,63}$/;
const POSITION_PATTERN = /^\d{1,15}$/;
const HANDLER = {
  name: 'handler',
  description: 'The part of the service, as the list shows it.',
  schema: { type: 'string', pattern: HANDLER_PATTERN.source },
  example: 'notification',
};
const POSITION = {
  name: 'position',
  description: 'Position of the event, as the list shows it.',
  schema: { type: 'string', pattern: POSITION_PATTERN.source },
  example: '42',
};
/** Names a parked event in a path. */
const ParkedEventParams = () =>
  applyDecorators(ApiParam(HANDLER), ApiParam(POSITION), Refusals({ 404: 'There is no such parked event.' }));

@AdminController('parked-events')
export class ParkedEventsController {
  constructor(private readonly parked: ParkedEvents) {}

  @Get()
  @ApiOperation({
    operationId: 'listParkedEvents',
    summary: 'Events that a part of the service could not take, newest first',
  })
  @ApiOkResponse({ type: ParkedEventListDto })
  async list(@Query() { page }: PageQueryDto): Promise<ParkedEventListDto> {
    return toParkedEventList(await this.parked.list(page));
  }

  @Post(':handler/:position/replay')
  @ParkedEventParams()
  @HttpCode(200)
  @ApiOperation({ operationId: 'replayParkedEvent', summary: 'Hand a parked event to its listener once more' })
  @ApiOkResponse({ type: EmptyAnswer, description: 'It is done.' })
  async replay(@Param('handler') handler: string, @Param('position') position: string): Promise<Record<string, never>> {
    await this.parked.replay(toHandler(handler), toPosition(position));
    return {};
  }

  @Delete(':handler/:position')
  @ParkedEventParams()
  @ApiOperation({ operationId: 'deleteParkedEvent', summary: 'Forget a parked event' })
  @ApiOkResponse({ type: EmptyAnswer, description: 'It is done.' })
  async drop(@Param('handler') handler: string, @Param('position') position: string): Promise<Record<string, never>> {
    await this.parked.drop(toHandler(handler), toPosition(position));
    return {};
  }
}

function toHandler(text: string): string {
  if (HANDLER_PATTERN.test(text)) return text;
  throw new InvalidRequestError('handler must be a name as the list shows it.');
}

function toPosition(text: string): number {
  if (POSITION_PATTERN.test(text)) return Number(text);
  throw new InvalidRequestError('position must be a whole number.');
}
