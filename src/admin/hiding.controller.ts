import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { unixSecondsText } from '../domain/unix-time.js';
import { Answers } from '../http/answers.js';
import { OptionalText, RequiredText } from '../http/validation/fields.js';
import { PagedDto, PageQueryDto, toPagination } from '../http/validation/paging.js';
import { HiddenDto, KIND, toHidden } from '../hiding/hidden.dto.js';
import { HIDDEN_KINDS, type HiddenItem, type HiddenKind } from '../hiding/hidden-item.entity.js';
import { HiddenItems } from '../hiding/hidden-items.js';
import { AdminController, ID_EXAMPLE, IdParam } from './admin-controller.js';

/**
 * One line of 1 to 200 characters that are not all blank. That none may be invisible is left out: not all languages
 * have classes of Unicode in regular expressions.
 */
const REASON_FORM = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{1,200}$';

class HideRequestDto {
  @ApiProperty(KIND)
  @IsIn(HIDDEN_KINDS, { message: `kind must be one of ${HIDDEN_KINDS.join(', ')}` })
  kind: HiddenKind;

  @OptionalText('must be text', { description: 'Of an identity.', example: 'github' })
  platform?: string;

  @OptionalText('must be text', { description: 'Of an identity.', example: 'alice' })
  identity?: string;

  @OptionalText('must be text', { description: 'Of a key or a profile.' })
  avatar?: string;

  @RequiredText({
    description: 'Why, in one line; the page shows it.',
    pattern: REASON_FORM,
    example: 'A court has ordered it.',
  })
  reason: string;
}

class LiftRequestDto {
  @RequiredText({
    description: 'Why it is shown again, in one line.',
    pattern: REASON_FORM,
    example: 'The order was withdrawn.',
  })
  reason: string;
}

class HiddenRowDto extends HiddenDto {
  @ApiProperty({ description: 'For `POST /admin/v1/hidden/{id}/lift`.', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ description: 'UNIX seconds; empty while it is hidden.', example: '' })
  lifted_at: string;

  @ApiProperty({ description: 'Why it is shown again; empty while it is hidden.', example: '' })
  lifted_reason: string;
}

class HiddenListDto extends PagedDto {
  @ApiProperty({ type: [HiddenRowDto], description: 'All that is and was hidden, newest first.' })
  hidden: HiddenRowDto[];
}

function toRow(item: HiddenItem): HiddenRowDto {
  const { id, liftedAt, liftedReason } = item;
  return { id, ...toHidden(item), lifted_at: liftedAt ? unixSecondsText(liftedAt) : '', lifted_reason: liftedReason };
}

/** Hides from the page, and shows again. It is no erasure: chains, feeds and log stay whole. */
@AdminController('hidden')
export class HidingController {
  constructor(private readonly items: HiddenItems) {}

  @Get()
  @Answers(HiddenListDto, 'What is and was hidden from the page, with the reasons')
  async listHidden(@Query() { page }: PageQueryDto): Promise<HiddenListDto> {
    const found = await this.items.list(page);
    return { pagination: toPagination(found), hidden: found.items.map(toRow) };
  }

  @Post()
  @Answers(HiddenRowDto, 'Hide an identity, a key or a profile from the page', 'It is hidden; nothing is erased.')
  async hideFromPage(@Body() { reason, ...name }: HideRequestDto): Promise<HiddenRowDto> {
    return toRow(await this.items.hide(name, reason));
  }

  @Post(':id/lift')
  @IdParam('hidden item')
  @Answers(HiddenRowDto, 'Show something again', 'It is shown; the row stays, with both reasons.')
  async showAgain(@Param('id') id: string, @Body() { reason }: LiftRequestDto): Promise<HiddenRowDto> {
    return toRow(await this.items.lift(id, reason));
  }
}
