import { applyDecorators, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam, ApiProperty } from '@nestjs/swagger';
import { InvalidRequestError } from '@signet/look';
import { ParkedEventDto } from '../events/parked-event.dto.js';
import { ParkedEvents } from '../events/parked-events.js';
import { Refusals } from '../http/error-body.js';
import { Answers, EmptyAnswer } from '../http/answers.js';
import { PagedDto, PageQueryDto, toPagination } from '../http/validation/paging.js';
import { AdminController } from './admin-controller.js';

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
const ParkedEventParams = () =>
  applyDecorators(ApiParam(HANDLER), ApiParam(POSITION), Refusals({ 404: 'There is no such parked event.' }));

class ParkedEventListDto extends PagedDto {
  @ApiProperty({ type: [ParkedEventDto], description: 'Newest first.' })
  parked_events: ParkedEventDto[];
}

@AdminController('parked-events')
export class ParkedEventsController {
  constructor(private readonly parked: ParkedEvents) {}

  @Get()
  @Answers(ParkedEventListDto, 'Events that a part of the service could not take, newest first')
  async listParkedEvents(@Query() { page }: PageQueryDto): Promise<ParkedEventListDto> {
    const found = await this.parked.list(page);
    return { pagination: toPagination(found), parked_events: found.items };
  }

  @Post(':handler/:position/replay')
  @ParkedEventParams()
  @Answers(EmptyAnswer, 'Hand a parked event to its listener once more', 'It is done.')
  async replayParkedEvent(@Param('handler') handler: string, @Param('position') position: string) {
    await this.parked.replay(toHandler(handler), toPosition(position));
    return {};
  }

  @Delete(':handler/:position')
  @ParkedEventParams()
  @Answers(EmptyAnswer, 'Forget a parked event', 'It is done.')
  async deleteParkedEvent(@Param('handler') handler: string, @Param('position') position: string) {
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
