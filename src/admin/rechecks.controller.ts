import { Body, Get, Post } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { AVATAR_KEY_FORM } from '../domain/avatar-key.js';
import { Answers } from '../http/operation.js';
import { OptionalText } from '../http/validation/fields.js';
import { RecheckService } from '../rechecks/recheck.service.js';
import type { RecheckProgress } from '../rechecks/recheck-tally.js';
import { AdminController } from './admin-controller.js';

/** Filters of a sweep: at least one is given, and a proof has to match all that are given. */
class SweepRequestDto {
  @OptionalText('must be text', { description: 'Only proofs on this platform.', example: 'github' })
  platform?: string;

  @OptionalText('must be text', {
    description: 'On `platform`, or on every platform that could have it.',
    example: 'alice',
  })
  identity?: string;

  @OptionalText('must be text', {
    description: 'Only proofs of this Avatar: 0x and 66 or 130 hex digits.',
    pattern: `${AVATAR_KEY_FORM}|^$`,
  })
  avatar?: string;

  @ApiPropertyOptional({ description: 'Only proofs that are invalid now.', example: true })
  @IsOptional()
  @IsBoolean({ message: 'all_invalid must be true or false' })
  all_invalid?: boolean;
}

class SweepResponseDto {
  @ApiProperty({ description: 'Proofs that are due because of this.', example: 12 })
  due: number;
}

class ProgressDto {
  @ApiProperty({ description: 'Proofs that wait for a recheck, as all servers see it.' })
  due: number;

  @ApiProperty({ description: 'Rechecks of this server that gave an answer, since it last had nothing to do.' })
  done: number;

  @ApiProperty({ description: 'Rechecks of this server that gave none.' })
  failed: number;

  @ApiProperty({ description: 'Rechecks of this server in the last minute.' })
  rate_per_minute: number;

  @ApiProperty({ description: 'At this rate; -1 where nothing moves.', example: 0 })
  estimated_seconds_left: number;
}

class RechecksDto {
  @ApiProperty({ description: 'All platforms together.' })
  total: ProgressDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/ProgressDto' },
    description: 'Platforms on which there is or was something to do.',
  })
  platforms: Record<string, ProgressDto>;
}

@AdminController('revalidation')
export class RechecksController {
  constructor(private readonly rechecks: RecheckService) {}

  @Get()
  @Answers(RechecksDto, 'How far the rechecks have come')
  async getRechecks(): Promise<RechecksDto> {
    const { total, platforms } = await this.rechecks.progress();
    const parts = Object.entries(platforms).map(([platform, part]) => [platform, toProgress(part)] as const);
    return { total: toProgress(total), platforms: Object.fromEntries(parts) };
  }

  @Post()
  @Answers(SweepResponseDto, 'Recheck proofs now: by platform, identity or Avatar, or all that are invalid')
  async recheckNow(@Body() body: SweepRequestDto): Promise<SweepResponseDto> {
    const { platform, identity, avatar, all_invalid: allInvalid } = body;
    return { due: await this.rechecks.sweep({ platform, identity, avatar, allInvalid }) };
  }
}

function toProgress({ due, done, failed, ratePerMinute, estimatedSecondsLeft }: RecheckProgress): ProgressDto {
  return { due, done, failed, rate_per_minute: ratePerMinute, estimated_seconds_left: estimatedSecondsLeft ?? -1 };
}
